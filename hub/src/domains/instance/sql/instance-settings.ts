import { deviceQuotas, type DeviceQuota, type Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';

/** The settings that administrators have set, by key; secrets are decrypted. */
export type StoredSettings = ReadonlyMap<string, Json>;

/** Reads all settings that are set. A secret under an older key of the vault is sealed again. */
export async function readSettings(tx: Database, vault: Vault): Promise<StoredSettings> {
  const rows = await tx
    .selectFrom('instance_settings')
    .select(['key', 'value', 'sealed', 'sealed_under'])
    .execute();
  const settings = new Map<string, Json>();
  for (const { key, value, sealed, sealed_under: keyId } of rows) {
    const secret = sealed === null ? undefined : openedSetting(vault, key, sealed, keyId ?? '');
    settings.set(key, secret ?? value);
    if (secret !== undefined && keyId !== vault.keyId) await reencrypt(tx, vault, key, secret, sealed);
  }
  return settings;
}

/** Reads one setting that is no secret; undefined unless it is set. */
export async function readSetting(tx: Database, key: string): Promise<Json | undefined> {
  const row = await tx
    .selectFrom('instance_settings')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.value ?? undefined;
}

/** Reads one setting that is a secret; undefined unless it is set. It stays sealed under the key that it is under. */
export async function readSecretSetting(
  tx: Database,
  vault: Vault,
  key: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('instance_settings')
    .select(['sealed', 'sealed_under'])
    .where('key', '=', key)
    .executeTakeFirst();
  const sealed = row?.sealed ?? undefined;
  return sealed === undefined ? undefined : openedSetting(vault, key, sealed, row?.sealed_under ?? '');
}

/** A setting to be stored. */
export interface NewSetting {
  readonly key: string;
  readonly value: Json;
  readonly isSecret: boolean;
  readonly now: Date;
}

/** Sets a setting; a secret is stored sealed. */
export async function saveSetting(
  tx: Database,
  vault: Vault,
  { key, value, isSecret, now }: NewSetting,
): Promise<void> {
  const columns = {
    value: isSecret ? null : JSON.stringify(value),
    ...(isSecret ? sealedColumns(vault, key, String(value)) : { sealed: null, sealed_under: null }),
    changed_at: now,
  };
  await tx
    .insertInto('instance_settings')
    .values({ key, ...columns })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ ...columns, changed_at: changedAt(now) }))
    .execute();
}

/** When a stored value last changed. Whoever was asked for a second factor gets no new days when others are asked, too. */
const changedAt = (now: Date) => sql<string>`case
  when instance_settings.value is not distinct from excluded.value then instance_settings.changed_at
  when instance_settings.key = 'secondFactor' and (instance_settings.value, excluded.value) = ('"administrators"', '"everyone"')
    then instance_settings.changed_at
  else ${now} end`;

/** Removes a setting, which then has its default. */
export async function removeSetting(tx: Database, key: string): Promise<void> {
  await tx.deleteFrom('instance_settings').where('key', '=', key).execute();
}

/** The quota of devices in effect. */
export async function readDeviceQuota(tx: Database, key: DeviceQuota): Promise<number> {
  const { rows } = await sql<{ quota: number }>`select ${quotaSql(key)} as quota`.execute(tx);
  return rows[0]?.quota ?? deviceQuotas[key];
}

/** The quotas of new repositories; null for none. */
export async function defaultQuotas(
  tx: Database,
): Promise<{ readonly max_bytes: number | null; readonly max_assets: number | null }> {
  const { rows } = await sql<{ max_bytes: number | null; max_assets: number | null }>`
    select (select (value #>> '{}')::bigint from instance_settings where key = 'quotaMaxBytes') as max_bytes,
      (select (value #>> '{}')::bigint from instance_settings where key = 'quotaMaxAssets') as max_assets`.execute(
    tx,
  );
  return rows[0] ?? { max_bytes: null, max_assets: null };
}

const placeOf = (key: string): string => `instance_settings/${key}`;

function sealedColumns(vault: Vault, key: string, secret: string) {
  const { keyId, bytes } = vault.seal(Buffer.from(secret), placeOf(key));
  return { sealed: bytes, sealed_under: keyId };
}

function openedSetting(vault: Vault, key: string, bytes: Buffer, keyId: string): string {
  return vault.open({ keyId, bytes }, placeOf(key)).toString();
}

async function reencrypt(
  tx: Database,
  vault: Vault,
  key: string,
  secret: string,
  before: Buffer | null,
): Promise<void> {
  await tx
    .updateTable('instance_settings')
    .set(sealedColumns(vault, key, secret))
    .where('key', '=', key)
    .where('sealed', '=', before)
    .execute();
}
