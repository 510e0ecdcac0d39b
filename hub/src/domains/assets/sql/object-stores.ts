import { sql, type RawBuilder, type Selectable } from 'kysely';
import { newRawId } from '../../../auth/random.ts';
import type { Sealed, Vault } from '../../../platform/vault/vault.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { unclaimedLike } from './unclaimed-stores.ts';

/** Where the bytes of new assets go. */
export interface CurrentStore {
  /** Null for the data folder of the hub. */
  readonly storeId: string | null;
  /** The beginning of all keys in this store. */
  readonly prefix: string;
}

/** The settings of an S3-compatible store. */
export interface ObjectStoreSettings {
  readonly endpoint: string;
  /** `none` if only the hub reaches the store. */
  readonly publicEndpoint: string | undefined;
  readonly bucket: string;
  readonly region: string | undefined;
  /** Without slashes at its ends. */
  readonly prefix: string;
  readonly forcePathStyle: boolean;
  readonly accessKeyId: string;
}

/** An S3-compatible store. */
export interface ObjectStore extends ObjectStoreSettings {
  readonly storeId: string;
  /** The raw id; null for the store of the instance. */
  readonly repositoryId: string | null;
  /** What the last probe found. */
  readonly capabilities: unknown;
  readonly probedAt: string | null;
}

/** A store with its secret. */
export interface ObjectStoreWithSecret extends ObjectStore {
  readonly secretAccessKey: string;
}

/** SQL that selects the store of a repository's new assets: its own, else that of the instance; no row for the data folder. */
export const selectStoreForNewAssets = (repositoryId: string) => sql<{ store_id: string; prefix: string }>`
  select store_id, prefix from object_stores
  where replaced_at is null and coalesce(repository_id, '') in (${repositoryId}, '')
  order by repository_id asc nulls last limit 1`;

/** SQL of the key of a new asset in the store that the statement has as `s`, which has none for the data folder. */
export const keyInStore = (key: RawBuilder<string>): RawBuilder<string> =>
  sql<string>`concat_ws('/', nullif(trim(both '/' from s.prefix), ''), ${key})`;

/** The store of a repository's new assets. */
export async function storeForNewAssets(tx: Database, repositoryId: string): Promise<CurrentStore> {
  const { rows } = await selectStoreForNewAssets(repositoryId).execute(tx);
  const [row] = rows;
  return row === undefined ? { storeId: null, prefix: '' } : { storeId: row.store_id, prefix: row.prefix };
}

const columns = [
  'store_id',
  'repository_id',
  'endpoint',
  'public_endpoint',
  'bucket',
  'region',
  'prefix',
  'force_path_style',
  'access_key_id',
  'secret_access_key',
  'sealed_under',
  'capabilities',
  'probed_at',
] as const;
type Row = Pick<Selectable<Tables['object_stores']>, (typeof columns)[number]>;

/** The current store of a repository, by its raw id, or of the instance. */
export async function currentObjectStore(
  tx: Database,
  repositoryId: string | null,
): Promise<ObjectStore | undefined> {
  const row = await currentRow(tx, repositoryId);
  return row === undefined ? undefined : storeOf(row);
}

/** The current store of a repository, by its raw id, or of the instance, with its secret. */
export async function currentStoreWithSecret(
  tx: Database,
  vault: Vault,
  repositoryId: string | null,
): Promise<ObjectStoreWithSecret | undefined> {
  const row = await currentRow(tx, repositoryId);
  return row === undefined ? undefined : { ...storeOf(row), secretAccessKey: secretOf(row, vault) };
}

/** A store by its raw id, current or replaced, with its secret, which is encrypted again if the vault has a newer key. */
export async function objectStoreWithSecret(
  tx: Database,
  vault: Vault,
  storeId: string,
): Promise<ObjectStoreWithSecret | undefined> {
  const row = await tx
    .selectFrom('object_stores')
    .select(columns)
    .where('store_id', '=', storeId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const secretAccessKey = secretOf(row, vault);
  if (row.sealed_under !== vault.keyId)
    await tx
      .updateTable('object_stores')
      .set(sealedColumns(vault, storeId, secretAccessKey))
      .where('store_id', '=', storeId)
      .where('secret_access_key', '=', row.secret_access_key)
      .execute();
  return { ...storeOf(row), secretAccessKey };
}

/** A store that a repository or the instance is to have. */
export interface WantedStore {
  readonly repositoryId: string | null;
  readonly settings: ObjectStoreSettings;
  readonly secretAccessKey: string;
  /** Null if it was not probed. */
  readonly capabilities: unknown;
}

/**
 * Makes a store the current one, and returns its raw id. Where only the way to the same objects changes (keys, region, addresses of the
 * same bucket and prefix), the row changes, so that assets in it stay reachable; another place is another row. A place that the owner had before has its row again.
 */
export async function setCurrentStore(
  { tx, vault, now }: { tx: Database; vault: Vault; now: Date },
  wanted: WantedStore,
): Promise<string> {
  const { repositoryId, settings, secretAccessKey, capabilities } = wanted;
  // Two savings at once, of one repository or by two nodes that start, come one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`object_stores/${repositoryId ?? ''}`}, 0))`.execute(
    tx,
  );
  const known = await rowOfPlace(tx, repositoryId, settings);
  const storeId = known?.store_id ?? newRawId();
  const values = {
    ...columnsOf(settings),
    ...sealedColumns(vault, storeId, secretAccessKey),
    capabilities: capabilities === null ? null : JSON.stringify(capabilities),
    probed_at: capabilities === null ? null : now,
  };
  if (known?.replaced_at !== null) await retireCurrentStore(tx, repositoryId, now);
  if (known !== undefined) {
    const current = { ...values, replaced_at: null };
    await tx.updateTable('object_stores').set(current).where('store_id', '=', storeId).execute();
    return storeId;
  }
  await tx
    .insertInto('object_stores')
    .values({
      ...values,
      store_id: storeId,
      repository_id: repositoryId,
      created_at: now,
      unclaimed_since: unclaimedLike(settings.bucket),
    })
    .execute();
  return storeId;
}

/** Stops the use of the current store of a repository, or of the instance, for new assets; the assets in it stay. */
export async function retireCurrentStore(
  tx: Database,
  repositoryId: string | null,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('object_stores')
    .set({ replaced_at: now })
    .where('replaced_at', 'is', null)
    .where(sql<boolean>`coalesce(repository_id, '') = ${repositoryId ?? ''}`)
    .execute();
}

/** How long a store that was replaced, or whose repository was deleted, is still searched for what crashes left behind. */
const forgottenAfterMs = 30 * 86_400_000;

/** Forgets stores, with their secrets, that new assets have not gone to for 30 days and that hold none; a restored copy keeps those that it has not claimed. */
export async function forgetOldStores(tx: Database, now: Date): Promise<void> {
  await sql`
    delete from object_stores s where s.replaced_at < ${new Date(now.getTime() - forgottenAfterMs)} and s.unclaimed_since is null
      and not exists (select from assets a where a.store_id = s.store_id)`.execute(tx);
}

/** Seals the secrets of all stores again that are under an older key. */
export async function reencryptStoreSecrets(tx: Database, vault: Vault): Promise<void> {
  const older = await tx
    .selectFrom('object_stores')
    .select('store_id')
    .where('sealed_under', 'is distinct from', vault.keyId)
    .execute();
  for (const { store_id: storeId } of older) await objectStoreWithSecret(tx, vault, storeId);
}

/** Saves the capabilities that a probe of the store found. */
export async function saveCapabilities(
  tx: Database,
  storeId: string,
  capabilities: unknown,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('object_stores')
    .set({ capabilities: JSON.stringify(capabilities), probed_at: now })
    .where('store_id', '=', storeId)
    .execute();
}

function currentRow(tx: Database, repositoryId: string | null): Promise<Row | undefined> {
  return tx
    .selectFrom('object_stores')
    .select(columns)
    .where('replaced_at', 'is', null)
    .where(sql<boolean>`coalesce(repository_id, '') = ${repositoryId ?? ''}`)
    .executeTakeFirst();
}

/** The row of an owner's store in this place; if there are several, the current one or the last one. */
function rowOfPlace(
  tx: Database,
  repositoryId: string | null,
  { endpoint, bucket, prefix }: ObjectStoreSettings,
): Promise<Pick<Selectable<Tables['object_stores']>, 'store_id' | 'replaced_at'> | undefined> {
  return tx
    .selectFrom('object_stores')
    .select(['store_id', 'replaced_at'])
    .where(sql<boolean>`coalesce(repository_id, '') = ${repositoryId ?? ''}`)
    .where('endpoint', '=', endpoint)
    .where('bucket', '=', bucket)
    .where('prefix', '=', prefix)
    .orderBy(sql`replaced_at desc nulls first`)
    .limit(1)
    .executeTakeFirst();
}

const sealPlace = (storeId: string): string => `object_stores/${storeId}`;

function sealedColumns(vault: Vault, storeId: string, secret: string) {
  const { keyId, bytes }: Sealed = vault.seal(Buffer.from(secret), sealPlace(storeId));
  return { secret_access_key: bytes, sealed_under: keyId };
}

function secretOf(
  { store_id: storeId, secret_access_key: bytes, sealed_under: keyId }: Row,
  vault: Vault,
): string {
  return vault.open({ keyId: keyId ?? '', bytes }, sealPlace(storeId)).toString();
}

function columnsOf(settings: ObjectStoreSettings) {
  return {
    endpoint: settings.endpoint,
    public_endpoint: settings.publicEndpoint ?? null,
    bucket: settings.bucket,
    region: settings.region ?? null,
    prefix: settings.prefix,
    force_path_style: settings.forcePathStyle,
    access_key_id: settings.accessKeyId,
  };
}

function storeOf(row: Row): ObjectStore {
  return {
    storeId: row.store_id,
    repositoryId: row.repository_id,
    endpoint: row.endpoint,
    publicEndpoint: row.public_endpoint ?? undefined,
    bucket: row.bucket,
    region: row.region ?? undefined,
    prefix: row.prefix,
    forcePathStyle: row.force_path_style,
    accessKeyId: row.access_key_id,
    capabilities: row.capabilities,
    probedAt: row.probed_at,
  };
}

/** A store as its owners may see it: without its secret. */
export function toStoreOutput(store: ObjectStore) {
  const { endpoint, publicEndpoint, bucket, region, prefix, forcePathStyle, accessKeyId } = store;
  return {
    endpoint,
    ...(publicEndpoint === undefined ? {} : { publicEndpoint }),
    bucket,
    ...(region === undefined ? {} : { region }),
    ...(prefix === '' ? {} : { prefix }),
    forcePathStyle,
    accessKeyId,
  };
}
