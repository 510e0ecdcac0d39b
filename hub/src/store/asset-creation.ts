import { sql, type RawBuilder } from 'kysely';
import { uploadUrlSecs } from '../auth/asset-url.ts';
import { batchBy } from '../db/batch.ts';
import type { Database } from '../db/connect.ts';
import { planOnce, type ElementType } from '../db/plan-once.ts';
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
 * nobody writes, gets the current store, since its own may have been wrong. One that is to be deleted begins again; undefined for one whose bytes somebody deletes at the moment. Assets that are created in one repository at the same time share a
 * statement; of equal ones the first is new.
 */
export const createAsset = batchBy(({ repositoryId }: WantedAsset) => repositoryId, createAssets);

async function createAssets(
  tx: Database,
  assets: readonly WantedAsset[],
): Promise<(CreatedAsset | undefined)[]> {
  const firsts = new Map<string, WantedAsset>();
  for (const asset of assets) {
    const hex = asset.digest.toString('hex');
    if (!firsts.has(hex)) firsts.set(hex, asset);
  }
  const found = await insertAssets(tx, [...firsts.values()]);
  for (const [hex, asset] of firsts) {
    const revived = found.has(hex) ? undefined : await revive(tx, asset);
    if (revived !== undefined) found.set(hex, revived);
  }
  return assets.map((asset) => {
    const hex = asset.digest.toString('hex');
    const created = found.get(hex);
    return created === undefined || firsts.get(hex) === asset ? created : { ...created, is_new: false };
  });
}

/** SQL that is true if an asset that is created again is to be uploaded to another store than before. */
const hasNewPlace = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(a.status = 'Dangling' and a.store_id is distinct from excluded.store_id and not ${isBeingUploaded(now)})`;

/** The created or touched assets by their digests; without those that are being deleted, whose rows are locked. */
async function insertAssets(
  tx: Database,
  assets: readonly WantedAsset[],
): Promise<Map<string, CreatedAsset>> {
  const repositoryId = assets[0]?.repositoryId ?? '';
  const now = new Date(Math.max(...assets.map((asset) => asset.now.getTime())));
  const urlEnds = new Date(now.getTime() + (uploadUrlSecs + urlWithinSecs) * 1000);
  const of = (type: ElementType, valueOf: (asset: WantedAsset) => unknown) =>
    planOnce(assets.map(valueOf), type);
  // The rows are locked in the order of `assetLockOrder`.
  const { rows } = await sql<CreatedAsset & { readonly hex: string }>`
    insert into assets as a (asset_id, repository_id, digest, size, store_id, storage_key, created_at, touched_at, upload_url_ends_at)
      select w.asset_id, ${repositoryId}, w.digest, w.size, s.store_id, ${keyInStore(sql`w.key`)},
        ${now}::timestamptz, ${now}::timestamptz, ${urlEnds}::timestamptz
      from unnest(${of('text', ({ assetId }) => assetId)}, ${of('bytea', ({ digest }) => digest)}, ${of('bigint', ({ size }) => size)}, ${of('text', ({ key }) => key)}) as w(asset_id, digest, size, key)
      left join (${selectStoreForNewAssets(repositoryId)}) as s on true order by w.digest
    on conflict (repository_id, digest) do update set touched_at = greatest(a.touched_at, excluded.touched_at),
      store_id = case when ${hasNewPlace(now)} then excluded.store_id else a.store_id end,
      storage_key = case when ${hasNewPlace(now)} then excluded.storage_key else a.storage_key end,
      multipart_id = case when ${hasNewPlace(now)} then null else a.multipart_id end
      where a.status <> 'Deleting'
    returning asset_id, encode(digest, 'hex') as hex, size, store_id, xmax = 0 as is_new, ${hasQuota(repositoryId)}`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.hex, row]));
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
