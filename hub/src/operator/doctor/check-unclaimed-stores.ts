import type { Database } from '../../platform/db/connect.ts';
import { unclaimedMessages } from '../../domains/assets/storage/unclaimed-messages.ts';
import { findUnclaimedStores } from '../../domains/assets/index.ts';
import { checkOf, type Finding } from './finding.ts';

/** Whether this instance was restored from a backup and does not know whether it may delete in the object stores; nothing is found otherwise. */
export async function checkUnclaimedStores(db: Database): Promise<Finding[]> {
  const text = unclaimedMessages(await findUnclaimedStores(db));
  return text === undefined ? [] : [checkOf('Restored copy').wrong(text)];
}
