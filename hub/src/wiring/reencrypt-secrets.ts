import type { Vault } from '../platform/vault/vault.ts';
import type { Database } from '../platform/db/connect.ts';
import { reencryptInstanceKeys, readSettings } from '../domains/instance/index.ts';
import { reencryptAuthorityKeys } from '../domains/certificates/index.ts';
import { reencryptTotpSecrets } from '../domains/users/index.ts';
import { reencryptWebhookSecrets } from '../domains/webhooks/index.ts';
import { reencryptOtlpHeaders } from '../domains/otlp/index.ts';
import { reencryptRecordingKeys } from '../domains/terminals/index.ts';
import { reencryptStoreSecrets } from '../domains/assets/index.ts';

/** Encrypts all secrets that are encrypted with an older key with the current one, so that no later start needs the older key. */
export async function reencryptSecrets(db: Database, vault: Vault): Promise<void> {
  await reencryptInstanceKeys({ tx: db, now: new Date(), vault });
  await reencryptStoreSecrets(db, vault);
  await readSettings(db, vault);
  await reencryptTotpSecrets(db, vault);
  await reencryptWebhookSecrets(db, vault);
  await reencryptOtlpHeaders(db, vault);
  await reencryptRecordingKeys(db, vault);
  await reencryptAuthorityKeys(db, vault);
}
