import { ActionError, ids, type Actor } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import { mustBeHub, mustBePerson } from '../../../auth/actors.ts';
import { mustSeeDevice } from '../../projects/index.ts';

/** The kind of actor that validates a token. */
export type TokenChecker = 'hub' | 'person';

/** Requires the hub itself or a user, and returns which of them it is. */
export function mustBeTokenChecker(actor: Actor): TokenChecker {
  if (actor.actor === 'User' || actor.actor === 'UserToken') return 'person';
  if (actor.actor === 'Device') mustBePerson(actor);
  mustBeHub(actor);
  return 'hub';
}

/** Whether the actor may read the token of a device (raw id): the hub may, and users who may access the device. */
export async function mayReadTokensOf(tx: Database, actor: Actor, deviceId: string): Promise<boolean> {
  if (mustBeTokenChecker(actor) === 'hub') return true;
  try {
    await mustSeeDevice(tx, actor, ids.device.of(deviceId));
    return true;
  } catch (error) {
    if (error instanceof ActionError) return false;
    throw error;
  }
}
