import { ids, type Actor } from '@corral/contract';
import { sql } from 'kysely';
import { forbidden, mustBePerson, notFound, notSignedIn } from '../../../auth/actors.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { administers, tokenIdOf } from './token-bounds.ts';

/** Whether the actor has the rights of an administrator: in a session, or by a token with these rights. */
export async function isAdministrator(tx: Database, actor: Actor): Promise<boolean> {
  if (actor.actor === 'System') return true;
  if (actor.actor !== 'User' && actor.actor !== 'UserToken') return false;
  const { rows } =
    await sql`select 1 from users where user_id = ${ids.user.raw(actor.userId)} and disabled_at is null
    and is_admin and ${administers(actor.actor === 'User', tokenIdOf(actor))}`.execute(tx);
  return rows.length > 0;
}

/** Requires the rights of an administrator, or the hub itself. */
export async function mustBeAdministrator(tx: Database, actor: Actor): Promise<void> {
  if (actor.actor === 'Anonymous') throw notSignedIn();
  if (!(await isAdministrator(tx, actor))) throw forbidden('Only administrators may do this.');
}

/** Requires an administrator: otherwise an owner could learn the e-mail address of any user by adding that user as a member. */
export async function mustBeAllowedToAddMembers(tx: Database, actor: Actor): Promise<void> {
  if (await isAdministrator(tx, actor)) return;
  throw forbidden('Only administrators may add members by their id. Invite them by their e-mail address.');
}

/** Requires the user itself, or an administrator for any existing user; for all other callers the user does not exist. */
export async function mustBeSelfOrAdministrator(tx: Database, actor: Actor, userId: string): Promise<void> {
  if (actor.actor !== 'System') mustBePerson(actor);
  const isSelf = 'userId' in actor && actor.userId === userId;
  if (isSelf) return;
  const rawUserId = userId.slice(ids.user.tag.length + 1);
  const [isAdmin, user] = await Promise.all([
    isAdministrator(tx, actor),
    tx
      .selectFrom('users')
      .select('user_id')
      .where('user_id', '=', rawUserId)
      .where('is_service', '=', false)
      .executeTakeFirst(),
  ]);
  if (!isAdmin || user === undefined) throw notFound('User');
}
