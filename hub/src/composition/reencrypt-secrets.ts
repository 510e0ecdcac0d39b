import type { Vault } from '../auth/vault.ts';
import type { Database } from '../db/connect.ts';
import { reencryptInstanceKeys } from '../store/instance-keys.ts';
import { readSettings } from '../store/instance-settings.ts';
import { reencryptStoreSecrets } from '../store/object-stores.ts';

/** Encrypts all secrets that are encrypted with an older key with the current one, so that no later start needs the older key. */
export async function reencryptSecrets(db: Database, vault: Vault): Promise<void> {
  await reencryptInstanceKeys({ tx: db, now: new Date(), vault });
  await reencryptStoreSecrets(db, vault);
  await readSettings(db, vault);
}
