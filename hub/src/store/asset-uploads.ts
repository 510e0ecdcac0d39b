import { sql } from 'kysely';
import { batch } from '../db/batch.ts';
import type { Database } from '../db/connect.ts';
import { digestText, isBeingUploaded, storedColumns, type StoredAsset } from './assets.ts';

const leaseSecs = 30;

/** Who writes the bytes of an asset. */
export interface UploadLease {
  /** Raw. */
  readonly assetId: string;
  readonly leaseId: string;
  /** The node of the writer, raw: its end is the end of the lease. */
  readonly nodeId: string | undefined;
  readonly now: Date;
}

/** Leases an asset to one writer, unless its bytes are stored and whole; undefined if there is no such asset. */
export async function beginUpload(
  tx: Database,
  { assetId, leaseId, nodeId, now }: UploadLease,
): Promise<(StoredAsset & { readonly is_taken: boolean; readonly waitSecs: number }) | undefined> {
  const { rows } = await sql<StoredAsset & { is_taken: boolean; waitSecs: number }>`
    with taken as (
      update assets a set upload_lease = ${storedLease(leaseId, nodeId)}, upload_lease_ends_at = ${endOf(now)}
      where asset_id = ${assetId}
        and (status = 'Dangling' or (status = 'Available' and storage_status in ('Missing', 'Mismatched')))
        and not ${isBeingUploaded(now)}
      returning asset_id
    )
    select ${storedColumns}, exists (select from taken) as is_taken,
      greatest(1, ceil(extract(epoch from a.upload_lease_ends_at - ${now})))::int as "waitSecs"
    from assets a where a.asset_id = ${assetId}`.execute(tx);
  return rows[0];
}

const storedLease = (leaseId: string, nodeId = ''): string => `${nodeId}/${leaseId}`;
const isLease = (leaseId: string) => sql<boolean>`split_part(upload_lease, '/', 2) = ${leaseId}`;
const endOf = (now: Date): Date => new Date(now.getTime() + leaseSecs * 1000);

/** Extends the lease of a writer, whose node may go on under a new id; false if it has ended. */
export async function extendUpload(
  tx: Database,
  { assetId, leaseId, nodeId, now }: UploadLease,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('assets')
    .set({ upload_lease: storedLease(leaseId, nodeId), upload_lease_ends_at: endOf(now) })
    .where('asset_id', '=', assetId)
    .where(isLease(leaseId))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the lease of a writer. */
export async function releaseUpload(
  tx: Database,
  { assetId, leaseId }: Pick<UploadLease, 'assetId' | 'leaseId'>,
): Promise<void> {
  await tx
    .updateTable('assets')
    .set({ upload_lease: null, upload_lease_ends_at: null })
    .where('asset_id', '=', assetId)
    .where(isLease(leaseId))
    .execute();
}

/** What is known about bytes that are durable. */
export interface Completion {
  /** Raw. */
  readonly assetId: string;
  /** The SHA-256 of each MiB, joined; undefined if it is not known, or is that of the whole. */
  readonly chunkDigests: Buffer | undefined;
  readonly storageStatus: StoredAsset['storage_status'];
  readonly now: Date;
}

/** An asset that became available; `was_available` if only its bytes were repaired. */
export interface CompletedAsset {
  readonly repository_id: string;
  readonly size: number;
  readonly digest: string;
  readonly was_available: boolean;
}

/**
 * Makes an asset available whose bytes are durable. The lease does not matter: the bytes are the right ones, whoever wrote them. Undefined if the asset is gone
 * or being deleted.
 */
export async function completeUpload(
  tx: Database,
  { assetId, chunkDigests, storageStatus, now }: Completion,
): Promise<CompletedAsset | undefined> {
  const { rows } = await sql<CompletedAsset>`
    with known as (select asset_id, status from assets where asset_id = ${assetId} and status <> 'Deleting' for update),
    chunks as (
      insert into asset_chunks (asset_id, digests) select asset_id, ${chunkDigests ?? null} from known where ${chunkDigests !== undefined}
      on conflict (asset_id) do nothing
    )
    update assets a set status = 'Available', storage_status = ${storageStatus}, storage_detail = null,
      storage_checked_at = ${now}, touched_at = greatest(a.touched_at, ${now}), upload_lease = null, upload_lease_ends_at = null
    from known where a.asset_id = known.asset_id
    returning a.repository_id, a.size, ${digestText(sql`a.digest`)} as digest, known.status = 'Available' as was_available`.execute(
    tx,
  );
  return rows[0];
}

/** Where the bytes of an asset are. Reads at the same time share a statement. */
export const findStoredAsset = batch(findStoredAssets);

async function findStoredAssets(
  db: Database,
  assetIds: readonly string[],
): Promise<(StoredAsset | undefined)[]> {
  const { rows } = await sql<StoredAsset>`
    select ${storedColumns} from assets a where a.asset_id = any(${[...new Set(assetIds)]})`.execute(db);
  const found = new Map(rows.map((row) => [row.asset_id, row]));
  return assetIds.map((assetId) => found.get(assetId));
}

/** Records that an upload may come until then, and touches the asset; undefined if it is being deleted. */
export async function extendUploadUrl(
  tx: Database,
  { assetId, expiresAt, now }: { readonly assetId: string; readonly expiresAt: Date; readonly now: Date },
): Promise<StoredAsset | undefined> {
  const { rows } = await sql<StoredAsset>`
    update assets a set upload_url_ends_at = greatest(a.upload_url_ends_at, ${expiresAt}), touched_at = greatest(a.touched_at, ${now})
    where a.asset_id = ${assetId} and a.status <> 'Deleting' returning ${storedColumns}`.execute(tx);
  return rows[0];
}
