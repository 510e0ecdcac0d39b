import type { Vault } from '../auth/vault.ts';
import type { Database } from '../db/connect.ts';
import { sealKeysAgain } from '../store/instance-keys.ts';
import { readSettings } from '../store/instance-settings.ts';
import { sealStoresAgain } from '../store/object-stores.ts';

/** Seals everything that is under an older key under the first one, so that the older key is not needed after this start. */
export async function sealAgain(db: Database, vault: Vault): Promise<void> {
  await sealKeysAgain({ tx: db, now: new Date(), vault });
  await sealStoresAgain(db, vault);
  await readSettings(db, vault);
}
