import { ActionError, ids, type Actor } from '@corral/contract';
import type { Database } from '../db/connect.ts';

/** An actor who is a person, by a session or by a token. */
export type Person = Extract<Actor, { actor: 'User' | 'UserToken' }>;

/** The refusal of everything to callers that are nobody. */
function notSignedIn(): ActionError {
  return new ActionError('NotSignedIn', 'Not logged in.');
}

/** The refusal of what the actor may know of but not do. */
export function forbidden(sentence: string): ActionError {
  return new ActionError('Forbidden', sentence);
}

/** What does not exist, or may not be seen by the actor: both are answered alike. */
export function notFound(what: string): ActionError {
  return new ActionError('Invalid', `${what} not found.`);
}

/** Lets people in, by session or token. */
export function mustBePerson(actor: Actor): Person {
  if (actor.actor === 'User' || actor.actor === 'UserToken') return actor;
  if (actor.actor === 'Anonymous') throw notSignedIn();
  throw forbidden('Only users may do this.');
}

/** Lets people in who speak by a session, since a token may not manage accounts. */
export function mustHaveSession(actor: Actor): Extract<Actor, { actor: 'User' }> {
  const person = mustBePerson(actor);
  if (person.actor === 'User') return person;
  throw forbidden('A user token may not do this. Sign in and do it in a session.');
}

/** Lets only the hub itself in: its doors, its upkeep and its peers. */
export function mustBeHub(actor: Actor): void {
  if (actor.actor === 'System' || actor.actor === 'ClusterNode') return;
  if (actor.actor === 'Anonymous') throw notSignedIn();
  throw forbidden('Only the hub itself may do this.');
}

/** Tells whether the actor is an administrator in a session; a token never is one. */
export async function isAdministrator(tx: Database, actor: Actor): Promise<boolean> {
  if (actor.actor === 'System') return true;
  if (actor.actor !== 'User') return false;
  const row = await tx
    .selectFrom('users')
    .select('is_admin')
    .where('user_id', '=', ids.user.raw(actor.userId))
    .executeTakeFirst();
  return row?.is_admin === true;
}

/** Lets administrators in, and the hub itself. */
export async function mustBeAdministrator(tx: Database, actor: Actor): Promise<void> {
  if (actor.actor === 'Anonymous') throw notSignedIn();
  if (!(await isAdministrator(tx, actor))) throw forbidden('Only administrators may do this.');
}

/** Lets a person act on its own account, and an administrator on any that exists; to all others the account does not exist. */
export async function mustBeSelfOrAdministrator(tx: Database, actor: Actor, userId: string): Promise<void> {
  if (actor.actor !== 'System') mustBePerson(actor);
  const isSelf = 'userId' in actor && actor.userId === userId;
  if (isSelf) return;
  const rawUserId = userId.slice(ids.user.tag.length + 1);
  const [isAdmin, user] = await Promise.all([
    isAdministrator(tx, actor),
    tx.selectFrom('users').select('user_id').where('user_id', '=', rawUserId).executeTakeFirst(),
  ]);
  if (!isAdmin || user === undefined) throw notFound('User');
}
