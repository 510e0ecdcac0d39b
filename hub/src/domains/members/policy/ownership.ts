import { ActionError, ids, type Actor, type Id } from '@corral/contract';
import { forbidden, mustBePerson, notFound } from '../../../auth/actors.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { isAdministrator } from '../../users/index.ts';

/** The requested owner of a new entity; a user's personal organization has the id of the user. */
export interface RequestedOwner {
  readonly owner?: Id<'user'> | undefined;
  readonly organizationId?: Id<'organization'> | undefined;
}

/** The raw id of the owner: the actor, or another user if the actor is an administrator or the hub. */
export async function mustBeAllowedOwner(
  tx: Database,
  actor: Actor,
  requested: RequestedOwner,
): Promise<string> {
  const isRequested = requested.owner !== undefined || requested.organizationId !== undefined;
  // The hub itself owns nothing, so it must request an owner.
  const isHub = actor.actor === 'System' && isRequested;
  const selfId = isHub ? undefined : ids.user.raw(mustBePerson(actor).userId);
  const ownerId = rawIdOf(requested) ?? selfId ?? '';
  if (ownerId !== selfId && !(await isAdministrator(tx, actor))) {
    if (requested.organizationId !== undefined) throw notFound('Organization');
    throw forbidden('Only administrators may create something for somebody else.');
  }
  const owner = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', ownerId)
    .where('is_service', '=', false)
    .executeTakeFirst();
  if (owner === undefined) throw notFound(requested.organizationId === undefined ? 'User' : 'Organization');
  return ownerId;
}

function rawIdOf({ owner, organizationId }: RequestedOwner): string | undefined {
  if (owner !== undefined && organizationId !== undefined)
    throw new ActionError('Invalid', 'Name the owner or the organization, not both.');
  if (owner !== undefined) return ids.user.raw(owner);
  return organizationId && ids.organization.raw(organizationId);
}
