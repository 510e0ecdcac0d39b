import { ids, type Actor, type Id } from '@corral/contract';
import { mustHaveSession } from '../../../auth/actors.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { mustBeAdministrator, mustBeSelfOrAdministrator } from './actors.ts';

/** Requires a session of the user, or of an administrator for any existing user, or the hub itself. */
export async function mustManageAccount(tx: Database, actor: Actor, userId: Id<'user'>): Promise<void> {
  if (actor.actor !== 'System') mustHaveSession(actor);
  await mustBeSelfOrAdministrator(tx, actor, userId);
}

/** Requires a session of an administrator, or the hub itself; tokens may not change the instance. */
export async function mustAdministerBySession(tx: Database, actor: Actor): Promise<void> {
  await mustBeAdministrator(tx, actor);
  if (actor.actor !== 'System') mustHaveSession(actor);
}

/** The actor as parameters of an SQL statement that checks and acts at once: a user in a session, by its raw id, or the hub itself. */
export interface SessionPrincipal {
  readonly userId: string | null;
  readonly isSystem: boolean;
}

/** The actor as such parameters; requires a session or the hub itself. */
export function sessionPrincipal(actor: Actor): SessionPrincipal {
  if (actor.actor === 'System') return { userId: null, isSystem: true };
  return { userId: ids.user.raw(mustHaveSession(actor).userId), isSystem: false };
}
