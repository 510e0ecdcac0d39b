import { sql, type RawBuilder } from 'kysely';
import { uploadUrlSecs } from '../../../auth/asset-url.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { isBeingUploaded } from './assets.ts';
import { keyInStore, selectStoreForNewAssets } from './object-stores.ts';

/** An asset to be created. Ids are raw. */
export interface WantedAsset {
  readonly assetId: string;
  readonly repositoryId: string;
  readonly size: number;
  readonly digest: Buffer;
  /** Without the prefix of the store that it will be in. */
  readonly key: string;
  readonly now: Date;
}

/** An asset in a known store. Ids are raw. */
export interface NewAsset extends Omit<WantedAsset, 'key'> {
  /** Null for the data folder of the hub. */
  readonly storeId: string | null;
  readonly storageKey: string;
}

/** The asset of a digest: the new one, or the one that was there. */
export interface CreatedAsset {
  readonly asset_id: string;
  readonly size: number;
  readonly store_id: string | null;
  readonly is_new: boolean;
  /** Whether its repository has a quota. */
  readonly has_quota: boolean;
}

/** An upload URL that is requested within this time after the creation, in seconds, need not be recorded; most are. */
const urlWithinSecs = 60;

const hasQuota = (repositoryId: string) =>
  sql<boolean>`exists (select from repositories where repository_id = ${repositoryId} and num_nonnulls(max_bytes, max_assets) > 0) as has_quota`;

/**
 * Creates an asset in the current store of the repository, or touches the live one of the same digest, so that the collector spares it. One that has no bytes yet, and that
 * nobody writes, gets the current store, since its own may have been wrong. One that is to be deleted begins again; undefined for one whose bytes somebody deletes at the moment.
 */
export async function createAsset(tx: Database, asset: WantedAsset): Promise<CreatedAsset | undefined> {
  return (await insertAsset(tx, asset)) ?? revive(tx, asset);
}

/** SQL that is true if an asset that is created again is to be uploaded to another store than before. */
const hasNewPlace = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(a.status = 'Dangling' and a.store_id is distinct from excluded.store_id and not ${isBeingUploaded(now)})`;

/** The created or touched asset; undefined for one that is being deleted, whose row is locked. */
async function insertAsset(
  tx: Database,
  { assetId, repositoryId, digest, size, key, now }: WantedAsset,
): Promise<CreatedAsset | undefined> {
  const urlEnds = new Date(now.getTime() + (uploadUrlSecs + urlWithinSecs) * 1000);
  const { rows } = await sql<CreatedAsset>`
    insert into assets as a (asset_id, repository_id, digest, size, store_id, storage_key, created_at, touched_at, upload_url_ends_at)
      select ${assetId}, ${repositoryId}, ${digest}::bytea, ${size}::bigint, s.store_id, ${keyInStore(sql`${key}::text`)},
        ${now}::timestamptz, ${now}::timestamptz, ${urlEnds}::timestamptz
      from (select) as one left join (${selectStoreForNewAssets(repositoryId)}) as s on true
    on conflict (repository_id, digest) do update set touched_at = greatest(a.touched_at, excluded.touched_at),
      store_id = case when ${hasNewPlace(now)} then excluded.store_id else a.store_id end,
      storage_key = case when ${hasNewPlace(now)} then excluded.storage_key else a.storage_key end,
      multipart_id = case when ${hasNewPlace(now)} then null else a.multipart_id end
      where a.status <> 'Deleting'
    returning asset_id, size, store_id, xmax = 0 as is_new, ${hasQuota(repositoryId)}`.execute(tx);
  return rows[0];
}

/** The statement before has locked the row. */
async function revive(
  tx: Database,
  { repositoryId, digest, key, now }: WantedAsset,
): Promise<CreatedAsset | undefined> {
  const { rows } = await sql<CreatedAsset>`
    with free as (
      select a.asset_id, s.store_id, ${keyInStore(sql`${key}::text`)} as storage_key
      from assets a left join (${selectStoreForNewAssets(repositoryId)}) as s on true
      where a.repository_id = ${repositoryId} and a.digest = ${digest} and not ${isBeingUploaded(now)}
    ), forgotten as (
      delete from asset_chunks c using free where c.asset_id = free.asset_id
    )
    update assets a set status = 'Dangling', storage_status = 'Unknown', storage_detail = null, storage_checked_at = null,
      created_at = ${now}, touched_at = ${now},
      upload_lease = null, upload_lease_ends_at = null, store_id = free.store_id,
      storage_key = case when a.store_id is distinct from free.store_id then free.storage_key else a.storage_key end,
      multipart_id = case when a.store_id is distinct from free.store_id then null else a.multipart_id end
    from free where a.asset_id = free.asset_id
    returning a.asset_id, size, a.store_id, true as is_new, ${hasQuota(repositoryId)}`.execute(tx);
  return rows[0];
}

/** The quotas of a repository; null for none. */
export interface Quotas {
  readonly max_bytes: number | null;
  readonly max_assets: number | null;
}

/** Locks the quotas of a repository, so that others who create assets in it wait: each then sums what those before have created. */
export function lockQuotas(tx: Database, repositoryId: string): Promise<Quotas> {
  return tx
    .selectFrom('repositories')
    .select(['max_bytes', 'max_assets'])
    .where('repository_id', '=', repositoryId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** The assets of a repository and their bytes, those of this transaction included. */
export async function sumAssets(
  tx: Database,
  repositoryId: string,
): Promise<{ readonly assets: number; readonly bytes: number }> {
  const { rows } = await sql<{ assets: number; bytes: number }>`
    select coalesce(sum(assets), 0)::bigint as assets, coalesce(sum(bytes), 0)::bigint as bytes from (
      select assets, bytes from repository_counts where repository_id = ${repositoryId}
      union all select assets, bytes from repository_count_changes where repository_id = ${repositoryId}
    ) as s`.execute(tx);
  return rows[0] ?? { assets: 0, bytes: 0 };
}
