import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { planOnce, planOnceValue } from '../../../platform/db/plan-once.ts';
import { asynchronousCommit } from '../../../platform/db/asynchronous-commit.ts';
import { noBackupRuns } from '../../../platform/db/backup-lock.ts';
import { assetLockOrder, digestText, isBeingUploaded, storedColumns, type StoredAsset } from './assets.ts';

const leaseSecs = 30;

/** Who writes the bytes of an asset. */
export interface UploadLease {
  /** Raw. */
  readonly assetId: string;
  readonly leaseId: string;
  /** The node of the writer, raw: its end is the end of the lease. */
  readonly nodeId: string | undefined;
  readonly now: Date;
  /** Whether the asset is also leased if it is whole, but in a data folder. */
  readonly movesFromDisk?: boolean;
  /** SQL that is true if the writer may write the asset `a`. */
  readonly mayWrite?: RawBuilder<boolean>;
}

/** An asset for a writer. */
export interface BegunUpload extends StoredAsset {
  readonly is_taken: boolean;
  readonly may_write: boolean;
  /** For how long somebody else has it. */
  readonly waitSecs: number;
}

/**
 * Leases an asset to one writer, unless its bytes are stored and whole; undefined if there is no such asset. A crash of the database ends the work of all writers, so the leases need not
 * survive it.
 */
export async function beginUpload(
  db: Database,
  { assetId, leaseId, nodeId, now, movesFromDisk = false, mayWrite = sql`true` }: UploadLease,
): Promise<BegunUpload | undefined> {
  const { rows } = await sql<BegunUpload>`
    with asked as (
      select a.asset_id, ${mayWrite} as may_write from assets a where a.asset_id = ${assetId}
    ), free as (
      select a.asset_id from assets a join asked using (asset_id) where may_write
        and (${isUnfinished} or (a.status = 'Available' and a.store_id is null and ${planOnceValue(movesFromDisk, 'boolean')}))
        and not ${isBeingUploaded(now)}
      for no key update of a
    ), taken as (
      update assets a set upload_lease = ${storedLease(leaseId, nodeId)}, upload_lease_ends_at = ${endOf(now)}
      from free where a.asset_id = free.asset_id and ${asynchronousCommit}
      returning a.asset_id, a.upload_lease_ends_at
    )
    select ${storedColumns}, may_write, t.asset_id is not null as is_taken,
      greatest(1, ceil(extract(epoch from coalesce(t.upload_lease_ends_at, a.upload_lease_ends_at) - ${now})))::int as "waitSecs"
    from assets a join asked using (asset_id) left join taken t using (asset_id)`.execute(db);
  return rows[0];
}

/** A lease as its column has it. Without a node it lasts until it ends by itself: the store may still delete when the node has ended. */
export const storedLease = (leaseId: string, nodeId = ''): string => `${nodeId}/${leaseId}`;
/** SQL that is true while the asset is leased by this id; the statement has no other table with such a column. */
export const isLease = (leaseId: string): RawBuilder<boolean> =>
  sql<boolean>`split_part(upload_lease, '/', 2) = ${leaseId}`;
/** When a lease ends that begins or is extended now. */
export const endOf = (now: Date): Date => new Date(now.getTime() + leaseSecs * 1000);

/** Extends a lease; false if it has ended. The node of a writer may go on under a new id; a lease without a node stays so. */
export async function extendUpload(
  tx: Database,
  { assetId, leaseId, nodeId, now }: UploadLease,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('assets')
    .set({
      upload_lease: sql`case when upload_lease like '/%' then upload_lease else ${storedLease(leaseId, nodeId)} end`,
      upload_lease_ends_at: endOf(now),
    })
    .where('asset_id', '=', assetId)
    .where(isLease(leaseId))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Where an object of an asset is, by its raw repository id. */
interface PlacedObject {
  readonly repositoryId: string;
  readonly digest: Buffer;
  readonly storeId: string | null;
  readonly storageKey: string;
}

/**
 * Leases the asset of an object, and resolves with its raw id, if it is kept in another place, and nobody writes it or makes a backup. A backup that begins later reads
 * it from there. An equal key in another object store is no other place: that may be the same bucket by another address, and the object the only one.
 */
export async function leaseKeptElsewhere(
  tx: Database,
  { repositoryId, digest, storeId, storageKey }: PlacedObject,
  { leaseId, now }: Pick<UploadLease, 'leaseId' | 'now'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly asset_id: string }>`
    update assets a set upload_lease = ${storedLease(leaseId)}, upload_lease_ends_at = ${endOf(now)}
    where a.repository_id = ${repositoryId} and a.digest = ${digest} and a.status = 'Available'
      and ((a.store_id is null) <> ${storeId === null} or a.storage_key <> ${storageKey})
      and not ${isBeingUploaded(now)} and ${noBackupRuns} returning a.asset_id`.execute(tx);
  return rows[0]?.asset_id;
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

/** Where a writer has written. */
export interface WrittenTo {
  /** Absent for the data folder. */
  readonly storeId?: string | undefined;
  readonly storageKey: string;
}

/** What is known about bytes that are durable. */
export interface Completion {
  /** Raw. */
  readonly assetId: string;
  /** The SHA-256 of each MiB, joined; undefined if it is not known, or is that of the whole. */
  readonly chunkDigests: Buffer | undefined;
  readonly storageStatus: StoredAsset['storage_status'];
  /** Where the bytes are; by default where the asset is. */
  readonly writtenTo?: WrittenTo | undefined;
}

/** An asset that became available; `was_available` if only its bytes were repaired. */
export interface CompletedAsset {
  readonly asset_id: string;
  readonly repository_id: string;
  readonly size: number;
  readonly digest: string;
  readonly was_available: boolean;
}

/**
 * Makes assets available whose bytes are durable, in the order of the completions; undefined for one that is gone or being deleted. The lease does not matter: the
 * bytes are the right ones, whoever wrote them, and the asset is then where they are, also if it had got another place meanwhile.
 */
export async function completeUploads(
  tx: Database,
  completions: readonly Completion[],
  now: Date,
): Promise<(CompletedAsset | undefined)[]> {
  const assetIds = completions.map(({ assetId }) => assetId);
  const digests = completions.map(({ chunkDigests }) => chunkDigests ?? null);
  const statuses = completions.map(({ storageStatus }) => storageStatus);
  const stores = completions.map(({ writtenTo }) => writtenTo?.storeId ?? null);
  const keys = completions.map(({ writtenTo }) => writtenTo?.storageKey ?? null);
  const { rows } = await sql<CompletedAsset>`
    with done as (
      select distinct on (asset_id) * from unnest(${planOnce(assetIds, 'text')}, ${planOnce(digests, 'bytea')}, ${planOnce(statuses, 'text')},
        ${planOnce(stores, 'text')}, ${planOnce(keys, 'text')}) as d(asset_id, digests, storage_status, store_id, storage_key)
    ), known as (
      select a.asset_id, a.status, ${isUnfinished} as is_unfinished from assets a where a.asset_id = any(${planOnce(assetIds, 'text')}) and a.status <> 'Deleting' order by ${assetLockOrder} for no key update
    ), chunks as (
      insert into asset_chunks (asset_id, digests) select asset_id, digests from known join done using (asset_id) where digests is not null
      on conflict (asset_id) do nothing
    )
    update assets a set status = 'Available', storage_status = done.storage_status, storage_detail = null,
      storage_checked_at = ${now}, touched_at = greatest(a.touched_at, ${now}), upload_lease = null, upload_lease_ends_at = null, multipart_id = null,
      store_id = case when ${isPlaced} then done.store_id else a.store_id end, storage_key = case when ${isPlaced} then done.storage_key else a.storage_key end
    from known join done using (asset_id) where a.asset_id = known.asset_id
    returning a.asset_id, a.repository_id, a.size, ${digestText(sql`a.digest`)} as digest, known.status = 'Available' as was_available`.execute(
    tx,
  );
  const found = new Map(rows.map((row) => [row.asset_id, row]));
  return assetIds.map((assetId) => found.get(assetId));
}

/** SQL that is true if the asset then is where its bytes were written. One that is whole elsewhere stays there, except in a data folder, which only one node has. */
const isPlaced = sql<boolean>`(done.storage_key is not null and (known.is_unfinished or (a.store_id is null and done.store_id is not null)))`;

/** Where the bytes of an asset are. */
export async function findStoredAsset(db: Database, assetId: string): Promise<StoredAsset | undefined> {
  const { rows } = await sql<StoredAsset>`
    select ${storedColumns} from assets a where a.asset_id = ${assetId}`.execute(db);
  return rows[0];
}

/** A URL for an upload that may come until it expires. */
interface UploadUrl {
  readonly assetId: string;
  readonly expiresAt: Date;
  readonly now: Date;
}

/** Where the bytes of an asset go, and whether it is recorded already that an upload may come until then. */
export async function findUploadTarget(
  db: Database,
  { assetId, expiresAt }: Omit<UploadUrl, 'now'>,
): Promise<(StoredAsset & { readonly is_recorded: boolean }) | undefined> {
  const { rows } = await sql<StoredAsset & { readonly is_recorded: boolean }>`
    select ${storedColumns}, a.status <> 'Deleting' and coalesce(a.upload_url_ends_at >= ${expiresAt}, false) as is_recorded
    from assets a where a.asset_id = ${assetId}`.execute(db);
  return rows[0];
}

/**
 * Records that an upload may come until then, and touches the asset; undefined if it is being deleted. A crash of the database right after may forget it: the asset then only lives a day from
 * its last touch before.
 */
export async function extendUploadUrl(
  db: Database,
  { assetId, expiresAt, now }: UploadUrl,
): Promise<StoredAsset | undefined> {
  const { rows } = await sql<StoredAsset>`
    update assets a set upload_url_ends_at = greatest(a.upload_url_ends_at, ${expiresAt}), touched_at = greatest(a.touched_at, ${now})
    where a.asset_id = ${assetId} and a.status <> 'Deleting' and ${asynchronousCommit} returning ${storedColumns}`.execute(
    db,
  );
  return rows[0];
}

/** A change of the unfinished upload in parts of an asset; `multipartId` and `expected` are null for none. */
interface MultipartChange {
  /** Raw. */
  readonly assetId: string;
  readonly multipartId: string | null;
  /** The change is made only if this is the present one: two clients may start at the same time. */
  readonly expected: string | null;
}

/** Changes the upload in parts of an asset, and resolves with the one that it then has; undefined if the asset is gone or available. */
export async function changeMultipart(
  tx: Database,
  { assetId, multipartId, expected }: MultipartChange,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ readonly multipart_id: string | null }>`
    with changed as (
      update assets set multipart_id = ${multipartId} where asset_id = ${assetId} and ${isUnfinished}
        and multipart_id is not distinct from ${expected}::text returning multipart_id
    )
    select multipart_id from changed
    union all select multipart_id from assets where asset_id = ${assetId} and ${isUnfinished} and not exists (select from changed)`.execute(
    tx,
  );
  return rows[0]?.multipart_id;
}

/** SQL that is true while bytes of an asset may come: before it is available, and when its store has lost them. */
const isUnfinished = sql<boolean>`(status = 'Dangling' or (status = 'Available' and storage_status in ('Missing', 'Mismatched')))`;
