import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { digestText, storedColumns, type StoredAsset, type StorageStatus } from './assets.ts';

const maxAtOnce = 100;

/** What a check of the stored bytes found. */
export interface AssetCheck {
  /** Raw. */
  readonly assetId: string;
  readonly storageStatus: StorageStatus;
  readonly detail: string | undefined;
  /** The SHA-256 of each MiB, joined, if they were computed. */
  readonly chunkDigests?: Buffer | undefined;
  /** The asset as it was when the check began. */
  readonly seen?: SeenAsset | undefined;
  readonly now: Date;
}

/** Where the bytes of an asset are, and when they were checked last. */
type SeenAsset = Pick<StoredAsset, 'store_id' | 'storage_key' | 'storage_checked_at'>;

/** The asset that was checked. */
export interface CheckedAsset {
  readonly repository_id: string;
  readonly status: StoredAsset['status'];
  /** What was known before. */
  readonly before: StorageStatus;
  /** What is known now. */
  readonly after: StorageStatus;
}

/** Records a check; undefined if the asset is gone, or has been repaired, moved or checked since this check began. */
export async function recordCheck(
  tx: Database,
  { assetId, storageStatus, detail, chunkDigests, seen, now }: AssetCheck,
): Promise<CheckedAsset | undefined> {
  const { rows } = await sql<CheckedAsset>`
    with known as (select asset_id, storage_status from assets where asset_id = ${assetId} and ${isAsSeen(seen)} for update),
    chunks as (
      insert into asset_chunks (asset_id, digests) select asset_id, ${chunkDigests ?? null} from known where ${chunkDigests !== undefined}
      on conflict (asset_id) do nothing
    )
    update assets a set storage_checked_at = ${now},
      storage_status = ${storageStatus}, storage_detail = ${detail ?? null}
    from known where a.asset_id = known.asset_id
    returning a.repository_id, a.status, known.storage_status as before, a.storage_status as after`.execute(
    tx,
  );
  return rows[0];
}

const isAsSeen = (seen: SeenAsset | undefined): RawBuilder<boolean> =>
  seen === undefined
    ? sql`true`
    : sql`(store_id is not distinct from ${seen.store_id} and storage_key = ${seen.storage_key}
        and storage_checked_at is not distinct from ${seen.storage_checked_at}::timestamptz)`;

/** Which assets a list leaves out. */
interface LeftOut {
  /** Those in data folders. */
  readonly isDiskLeftOut: boolean;
  /** Those in these object stores, by their raw ids. */
  readonly leftOutStoreIds: readonly string[];
}

/** Which assets are to be checked. */
export interface DueChecks extends LeftOut {
  /** Those that were not checked since then. */
  readonly before: Date;
  /** Also those whose store did not answer their last check, if that was before this. */
  readonly unansweredBefore: Date;
}

/** The available assets whose check is due, those that were checked longest ago first. */
export async function findAssetsToCheck(
  tx: Database,
  { before, unansweredBefore, isDiskLeftOut, leftOutStoreIds }: DueChecks,
): Promise<StoredAsset[]> {
  const isListed = sql`case when store_id is null then ${!isDiskLeftOut} else store_id <> all(${leftOutStoreIds}::text[]) end`;
  const order = sql`order by storage_checked_at nulls first, asset_id limit ${maxAtOnce}`;
  const { rows } = await sql<StoredAsset>`
    select ${storedColumns} from assets a where a.asset_id in (
      (select asset_id from assets
        where status = 'Available' and (storage_checked_at is null or storage_checked_at < ${before}) and ${isListed} ${order})
      union all
      (select asset_id from assets
        where status = 'Available' and storage_status = 'Error' and storage_checked_at < ${unansweredBefore} and ${isListed} ${order})
    ) ${order}`.execute(tx);
  return rows;
}

const pageSize = 1000;

/** A page of the available assets whose raw ids are behind `after`, in the order of their ids. */
export async function listAvailableAssets(db: Database, after: string): Promise<StoredAsset[]> {
  const { rows } = await sql<StoredAsset>`
    select ${storedColumns} from assets a
    where a.asset_id > ${after} and a.status = 'Available' order by a.asset_id limit ${pageSize}`.execute(db);
  return rows;
}

/** A page of the available assets in the data folder whose repositories have an object store now, behind a raw id, in the order of their ids. */
export async function listMovableAssets(db: Database, after: string): Promise<StoredAsset[]> {
  const { rows } = await sql<StoredAsset>`
    select ${storedColumns} from assets a
    where a.asset_id > ${after} and a.status = 'Available' and a.store_id is null and exists (select from object_stores s
      where s.replaced_at is null and coalesce(s.repository_id, '') in (a.repository_id, ''))
    order by a.asset_id limit ${pageSize}`.execute(db);
  return rows;
}

/** How many assets are available, and how many of them are in the data folder. */
export async function countAssets(
  db: Database,
): Promise<{ readonly count: number; readonly onDisk: number }> {
  const { rows } = await sql<{ count: number; onDisk: number }>`
    select count(*) as count, count(*) filter (where store_id is null) as "onDisk" from assets where status = 'Available'`.execute(
    db,
  );
  return rows[0] ?? { count: 0, onDisk: 0 };
}

/** Lets the next run check this asset before all others. */
export async function scheduleCheckFirst(tx: Database, assetId: string): Promise<void> {
  await tx
    .updateTable('assets')
    .set({ storage_checked_at: null })
    .where('asset_id', '=', assetId)
    .where('status', '=', 'Available')
    .execute();
}

/** How many available assets are missing or damaged in their store, or could not be checked last, by status. */
export async function countDamagedAssets(
  db: Database,
): Promise<Record<'Missing' | 'Mismatched' | 'Error', number>> {
  const { rows } = await sql<{ status: 'Missing' | 'Mismatched' | 'Error'; count: number }>`
    select storage_status as status, count(*) as count from assets
    where status = 'Available' and storage_status in ('Missing', 'Mismatched', 'Error') group by storage_status`.execute(
    db,
  );
  const counts = { Missing: 0, Mismatched: 0, Error: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/** An asset whose bytes are missing or damaged. */
export interface DamagedAsset {
  /** Raw. */
  readonly asset_id: string;
  /** As text, `sha256_` and hex digits. */
  readonly digest: string;
  /** The name of its repository. */
  readonly repository: string | null;
}

/** A repository with assets that are missing or damaged in their store. */
export interface DamagedRepository {
  readonly repository_id: string;
  readonly name: string;
  /** Of this repository. */
  readonly count: number;
  /** Of all repositories. */
  readonly total: number;
}

const maxRepositories = 5;

/** The repositories that have most of the missing and damaged assets. */
export async function findDamagedRepositories(db: Database): Promise<DamagedRepository[]> {
  const { rows } = await sql<DamagedRepository>`
    select r.repository_id, r.name, d.count, sum(d.count) over ()::bigint as total from (
      select repository_id, count(*) as count from assets
      where status = 'Available' and storage_status in ('Missing', 'Mismatched') group by repository_id
    ) as d join repositories r using (repository_id) order by d.count desc, r.repository_id limit ${maxRepositories}`.execute(
    db,
  );
  return rows;
}

/** How many available assets are known to be missing or damaged in their store, and the oldest one. */
export async function findDamagedAssets(
  db: Database,
): Promise<{ readonly count: number; readonly first: DamagedAsset | undefined }> {
  const { rows } = await sql<DamagedAsset & { readonly count: number }>`
    select a.asset_id, ${digestText(sql`a.digest`)} as digest, r.name as repository, count(*) over () as count
    from assets a left join repositories r using (repository_id)
    where a.status = 'Available' and a.storage_status in ('Missing', 'Mismatched') order by a.created_at limit 1`.execute(
    db,
  );
  return { count: rows[0]?.count ?? 0, first: rows[0] };
}
