import { ActionError, ids, type Actor } from '@corral/contract';
import type { Database } from '../db/connect.ts';
import { mustBeHub, mustBePerson } from './actors.ts';
import { mustSeeDevice } from './projects.ts';

/** Who asks whether a token is good: the hub's own doors, or somebody. */
export type TokenChecker = 'hub' | 'person';

/** Lets the hub itself and people in, and tells which of them it is. */
export function mustCheckTokens(actor: Actor): TokenChecker {
  if (actor.actor === 'User' || actor.actor === 'UserToken') return 'person';
  if (actor.actor === 'Device') mustBePerson(actor);
  mustBeHub(actor);
  return 'hub';
}

/** Tells whether the actor may learn what a token of a device says: the hub may, and whoever may access the device, by its raw id. */
export async function mayReadTokensOf(tx: Database, actor: Actor, deviceId: string): Promise<boolean> {
  if (mustCheckTokens(actor) === 'hub') return true;
  try {
    await mustSeeDevice(tx, actor, ids.device.of(deviceId));
    return true;
  } catch (error) {
    if (error instanceof ActionError) return false;
    throw error;
  }
}
