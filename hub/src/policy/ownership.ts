import { ActionError, ids, type Actor, type Id } from '@corral/contract';
import type { Database } from '../db/connect.ts';
import { forbidden, isAdministrator, mustBePerson, notFound } from './actors.ts';

/** The requested owner of something new; a user's personal organization has the id of the user. */
export interface NamedOwner {
  readonly owner?: Id<'user'> | undefined;
  readonly organizationId?: Id<'organization'> | undefined;
}

/** The raw id of the future owner: the actor, or another user if the actor is an administrator or the hub. */
export async function mustBeAllowedOwner(tx: Database, actor: Actor, named: NamedOwner): Promise<string> {
  const isNamed = named.owner !== undefined || named.organizationId !== undefined;
  // The hub itself owns nothing, so it must name a user.
  const isHub = actor.actor === 'System' && isNamed;
  const selfId = isHub ? undefined : ids.user.raw(mustBePerson(actor).userId);
  const ownerId = rawIdOf(named) ?? selfId ?? '';
  if (ownerId !== selfId && !(await isAdministrator(tx, actor))) {
    if (named.organizationId !== undefined) throw notFound('Organization');
    throw forbidden('Only administrators may create something for somebody else.');
  }
  const owner = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', ownerId)
    .executeTakeFirst();
  if (owner === undefined) throw notFound(named.organizationId === undefined ? 'User' : 'Organization');
  return ownerId;
}

function rawIdOf({ owner, organizationId }: NamedOwner): string | undefined {
  if (owner !== undefined && organizationId !== undefined)
    throw new ActionError('Invalid', 'Name the owner or the organization, not both.');
  if (owner !== undefined) return ids.user.raw(owner);
  return organizationId && ids.organization.raw(organizationId);
}
