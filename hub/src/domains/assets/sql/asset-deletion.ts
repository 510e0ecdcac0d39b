import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { isLease, type UploadLease } from './asset-uploads.ts';
import { digestText, isBeingUploaded, mayBeUploadedByUrl } from './assets.ts';

/** An asset whose row is locked. */
export interface LockedAsset {
  readonly repository_id: string;
  readonly size: number;
  readonly digest: string;
  readonly status: 'Dangling' | 'Available' | 'Deleting';
  readonly is_being_uploaded: boolean;
}

/** Locks the row of an asset until the end of the transaction, so that nothing is attached to it meanwhile. */
export async function lockAsset(tx: Database, assetId: string, now: Date): Promise<LockedAsset | undefined> {
  const { rows } = await sql<LockedAsset>`
    select repository_id, size, ${digestText(sql`digest`)} as digest, status, ${isBeingUploaded(now)} as is_being_uploaded
    from assets a where asset_id = ${assetId} for update`.execute(tx);
  return rows[0];
}

/** A file of a package or version whose content is an asset. */
export interface Reference {
  readonly packageName: string;
  /** Raw; null for a file of the package itself. */
  readonly versionId: string | null;
  readonly filename: string;
}

/** How many files have an asset as their content, and one of them. */
export async function findReferences(
  tx: Database,
  assetId: string,
): Promise<{ readonly count: number; readonly first: Reference | undefined }> {
  const { rows } = await sql<Reference & { count: number }>`
    select p.name as "packageName", f.version_id as "versionId", f.filename, count(*) over () as count from (
      select version_id, null as package_id, filename from version_assets where asset_id = ${assetId}
      union all select null, package_id, filename from package_assets where asset_id = ${assetId}
    ) as f left join package_versions v on v.version_id = f.version_id
      join packages p on p.package_id = coalesce(f.package_id, v.package_id)
    limit 1`.execute(tx);
  return { count: rows[0]?.count ?? 0, first: rows[0] };
}

/** Marks a locked asset; the collector deletes its bytes and its row. */
export async function markForDeletion(tx: Database, assetId: string, now: Date): Promise<void> {
  await tx
    .updateTable('assets')
    .set({ status: 'Deleting', touched_at: now })
    .where('asset_id', '=', assetId)
    .execute();
}

/** An asset whose row was deleted. */
export interface DeletedAsset {
  /** Raw. */
  readonly repository_id: string;
  readonly size: number;
  readonly digest: string;
  /** Whether its repository is there. */
  readonly has_repository: boolean;
}

/**
 * Deletes the row of a marked asset whose bytes the holder of the lease has deleted; undefined if it has another lease by now. While a URL may bring the bytes back, the row stays without
 * them: it counts for the quotas of its repository, and the bytes are deleted again after that.
 */
export async function deleteLeasedRow(
  tx: Database,
  { assetId, leaseId, now }: Pick<UploadLease, 'assetId' | 'leaseId' | 'now'>,
): Promise<DeletedAsset | undefined> {
  const leased = sql<boolean>`a.asset_id = ${assetId} and a.status = 'Deleting' and ${isLease(leaseId)}`;
  const { rows } = await sql<DeletedAsset>`
    delete from assets a where ${leased} and not ${mayBeUploadedByUrl(now)}
    returning repository_id, size, ${digestText(sql`digest`)} as digest,
      exists (select from repositories r where r.repository_id = a.repository_id) as has_repository`.execute(
    tx,
  );
  if (rows[0] === undefined)
    await sql`
      update assets a set storage_status = 'Missing', storage_detail = null, upload_lease = null, upload_lease_ends_at = null
      where ${leased}`.execute(tx);
  return rows[0];
}
