import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { NewAsset } from './asset-creation.ts';
import { noBackupRuns } from '../../../platform/db/backup-lock.ts';
import { endOf, storedLease, type UploadLease } from './asset-uploads.ts';
import {
  isBeingUploaded,
  isUnreferenced,
  mayBeUploadedByUrl,
  storedColumns,
  type StoredAsset,
} from './assets.ts';
import { isInClaimedStore } from './unclaimed-stores.ts';

/** How long an asset that nothing refers to is kept, in seconds. */
const graceSecs = 86_400;
/** How much longer than a URL its upload may take to arrive in an object store, in seconds. */
const latestUploadSecs = 3600;
const maxMarked = 1000;

/**
 * SQL that is true if the asset may be deleted: no file refers to it, it was not touched for a day, and no upload of it can still arrive. Assets of a
 * deleted repository do not wait for the day. The statement's `assets` must be named `a`.
 */
function isCollectable(now: Date) {
  const before = (secs: number): Date => new Date(now.getTime() - secs * 1000);
  return sql<boolean>`(${isUnreferenced}
    and (a.touched_at < ${before(graceSecs)} or not exists (select from repositories r where r.repository_id = a.repository_id))
    and (a.upload_url_ends_at is null or a.upload_url_ends_at < ${before(latestUploadSecs)} or (a.store_id is null and a.upload_url_ends_at < ${now}))
    and not ${isBeingUploaded(now)})`;
}

/** Marks what is collectable for deletion. Rows that someone has locked wait for the next run. */
export async function markCollectable(tx: Database, now: Date): Promise<number> {
  const locked = await sql<{ asset_id: string }>`
    select a.asset_id from assets a where a.status <> 'Deleting' and ${isCollectable(now)}
    limit ${maxMarked} for update of a skip locked`.execute(tx);
  const assetIds = locked.rows.map(({ asset_id }) => asset_id);
  if (assetIds.length === 0) return 0;
  // Again in a new snapshot: whoever attached one before it was locked has committed by now.
  const marked = await sql`update assets a set status = 'Deleting', touched_at = ${now}
    where a.asset_id = any(${assetIds}) and ${isCollectable(now)}`.execute(tx);
  return Number(marked.numAffectedRows ?? 0n);
}

/** What could not be deleted in a run. */
interface LeftOut {
  /** Raw. */
  readonly assetIds: readonly string[];
  /** Raw; an empty one is the data folder. */
  readonly storeIds: readonly string[];
}

/**
 * Leases a marked asset to whoever deletes its bytes; undefined if there is none that nobody else deletes or still writes, or a backup copies assets. One whose bytes are deleted waits
 * until no URL can bring them back. A backup that begins later copies no marked asset. A restored copy that has not claimed its stores leaves what is in them.
 */
export async function leaseMarked(
  db: Database,
  except: LeftOut,
  { leaseId, now }: Pick<UploadLease, 'leaseId' | 'now'>,
): Promise<StoredAsset | undefined> {
  const { rows } = await sql<StoredAsset>`
    with next as (
      select a.asset_id from assets a where ${noBackupRuns} and a.status = 'Deleting' and a.asset_id <> all(${[...except.assetIds]})
        and coalesce(a.store_id, '') <> all(${[...except.storeIds]}) and ${isUnreferenced} and not ${isBeingUploaded(now)} and ${isInClaimedStore}
        and not (a.storage_status = 'Missing' and ${mayBeUploadedByUrl(now)}) order by a.touched_at limit 1 for no key update of a skip locked
    )
    update assets a set upload_lease = ${storedLease(leaseId)}, upload_lease_ends_at = ${endOf(now)}
    from next where a.asset_id = next.asset_id returning ${storedColumns}`.execute(db);
  return rows[0];
}

const maxShown = 20;

/** How many assets, of those that this hub may delete, were marked before this time, and their last URL for an upload ended before it, and have not been deleted; and the first ones, by their raw ids. */
export async function findStuckDeletions(
  db: Database,
  before: Date,
): Promise<{ readonly count: number; readonly assetIds: readonly string[] }> {
  const { rows } = await sql<{ asset_id: string; count: number }>`
    select asset_id, count(*) over () as count from assets a
    where status = 'Deleting' and touched_at < ${before} and not (storage_status = 'Missing' and coalesce(upload_url_ends_at > ${before}, false))
      and ${isInClaimedStore} order by touched_at limit ${maxShown}`.execute(db);
  return { count: rows[0]?.count ?? 0, assetIds: rows.map(({ asset_id }) => asset_id) };
}

/** Adds a marked asset for a stored object, and resolves with true, unless its digest has an asset. */
export async function addStrayObject(tx: Database, stray: NewAsset): Promise<boolean> {
  const { assetId, repositoryId, digest, size, storeId, storageKey, now } = stray;
  const { numAffectedRows } = await sql`
    insert into assets (asset_id, repository_id, digest, size, status, store_id, storage_key, created_at, touched_at)
    values (${assetId}, ${repositoryId}, ${digest}, ${size}, 'Deleting', ${storeId}, ${storageKey}, ${now}, ${now})
    on conflict (repository_id, digest) do nothing`.execute(tx);
  return numAffectedRows !== undefined && numAffectedRows > 0n;
}
