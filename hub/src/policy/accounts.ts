import { ids, type Actor, type Id } from '@corral/contract';
import type { Database } from '../db/connect.ts';
import { mustBeSelfOrAdministrator, mustHaveSession } from './actors.ts';

/** Lets a person manage its own account in a session, and an administrator in a session any account that exists. */
export async function mustManageAccount(tx: Database, actor: Actor, userId: Id<'user'>): Promise<void> {
  if (actor.actor !== 'System') mustHaveSession(actor);
  await mustBeSelfOrAdministrator(tx, actor, userId);
}

/** By whose right a statement acts that checks and acts in one: the raw id of a person in a session, or the hub itself. */
export interface SessionSpeaker {
  readonly userId: string | null;
  readonly isSystem: boolean;
}

/** Lets in people who speak by a session, and the hub itself. */
export function sessionSpeaker(actor: Actor): SessionSpeaker {
  if (actor.actor === 'System') return { userId: null, isSystem: true };
  return { userId: ids.user.raw(mustHaveSession(actor).userId), isSystem: false };
}
