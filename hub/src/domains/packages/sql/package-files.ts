import { ActionError, ids, maxFiles, type Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { assetLockOrder } from '../../assets/index.ts';

/** What files belong to: a package itself or one of its versions, by raw id. */
export interface FileOwner {
  readonly kind: 'package' | 'version';
  readonly id: string;
}

const tables = {
  package: { files: sql.table('package_assets'), key: sql.ref('package_id'), owners: sql.table('packages') },
  version: {
    files: sql.table('version_assets'),
    key: sql.ref('version_id'),
    owners: sql.table('package_versions'),
  },
} as const;

/** A file as actions answer it. */
export interface FileRow {
  readonly filename: string;
  readonly asset_id: string;
  readonly size: number;
  readonly digest: string;
  readonly status: 'Dangling' | 'Available' | 'Deleting';
  readonly storage_status: 'Unknown' | 'Present' | 'Verified' | 'Missing' | 'Mismatched' | 'Error';
  readonly storage_checked_at: string | null;
  readonly storage_detail: string | null;
  readonly metadata: Record<string, Json>;
}

/** Filenames and metadata of all files of an owner, as text of the database; 1,000 files with the longest of both have less. */
const maxFilesBytes = 6 * 1024 * 1024;

/**
 * Reads the files of a package or version, ordered by name. Throws an `ActionError` of kind Invalid, without reading them, if they exceed 6 MiB: metadata that was
 * stored before its numbers counted with all their digits may.
 */
export async function readFiles(tx: Database, { kind, id }: FileOwner): Promise<FileRow[]> {
  const { files, key } = tables[kind];
  // Files without metadata need no measure, which writes the text of each.
  const bytes = sql`case when f.metadata = '{}' then 2 else octet_length(f.metadata::text) end + octet_length(f.filename)`;
  const { rows } = await sql<Omit<FileRow, 'metadata'> & { metadata: FileRow['metadata'] | null }>`
    select f.filename, f.asset_id, case when sum(z.bytes) over () <= ${maxFilesBytes} then f.metadata end as metadata, a.size,
      'sha256_' || encode(a.digest, 'hex') as digest, a.status, a.storage_status, a.storage_checked_at, a.storage_detail
    from ${files} f join assets a using (asset_id) cross join lateral (select ${bytes} as bytes offset 0) as z
    where f.${key} = ${id} order by f.filename`.execute(tx);
  return rows.map(({ metadata, ...row }) => ({ ...row, metadata: metadata ?? tooLarge(kind) }));
}

function tooLarge(kind: FileOwner['kind']): never {
  throw new ActionError(
    'Invalid',
    `The metadata of the files of this ${kind} is too large to be read at once. Replace that of some files.`,
  );
}

/** A file as actions answer it. */
export function toFile(row: FileRow) {
  return {
    filename: row.filename,
    assetId: ids.asset.of(row.asset_id),
    size: row.size,
    digest: row.digest,
    status: row.status,
    storage: {
      status: row.storage_status,
      ...(row.storage_checked_at === null ? {} : { checkedAt: row.storage_checked_at }),
      ...(row.storage_detail === null ? {} : { detail: row.storage_detail }),
    },
    metadata: row.metadata,
  };
}

/** A file to be attached, by raw ids. */
interface NewFile {
  readonly repositoryId: string;
  readonly assetId: string;
  readonly filename: string;
  /** As JSON. */
  readonly metadata: string;
}

/**
 * Attaches an asset of the same repository under a filename; false if the filename is taken. Locks the owner, then the asset, so that neither is
 * deleted meanwhile, and the collector sees the asset as used.
 */
export async function addFile(tx: Database, owner: FileOwner, file: NewFile, now: Date): Promise<boolean> {
  await lockOwner(tx, owner);
  await touchAsset(tx, file, now);
  const { files, key } = tables[owner.kind];
  const { rows } = await sql<{ count: number; isTaken: boolean; isAdded: boolean }>`
    with present as (
      select count(*), coalesce(bool_or(filename = ${file.filename}), false) as is_taken from ${files} where ${key} = ${owner.id}
    ),
    added as (
      insert into ${files} (${key}, filename, asset_id, metadata, added_at)
      select ${owner.id}, ${file.filename}, ${file.assetId}, ${file.metadata}::jsonb, ${now} from present
      where count < ${maxFiles} and not is_taken returning 1
    )
    select count, is_taken as "isTaken", exists (select 1 from added) as "isAdded" from present`.execute(tx);
  const [{ count, isTaken, isAdded } = { count: 0, isTaken: false, isAdded: false }] = rows;
  if (!isAdded && !isTaken && count >= maxFiles)
    throw new ActionError('Invalid', `A ${owner.kind} may have at most ${maxFiles} files.`);
  return isAdded;
}

async function lockOwner(tx: Database, { kind, id }: FileOwner): Promise<void> {
  const { owners, key } = tables[kind];
  const { rows } = await sql`select 1 from ${owners} where ${key} = ${id} for no key update`.execute(tx);
  if (rows.length === 0)
    throw new ActionError('Invalid', `${kind === 'package' ? 'Package' : 'Version'} not found.`);
}

async function touchAsset(tx: Database, { repositoryId, assetId }: NewFile, now: Date): Promise<void> {
  const { rows } = await sql<{ status: string }>`
    update assets set touched_at = greatest(touched_at, ${now})
    where asset_id = ${assetId} and repository_id = ${repositoryId} returning status`.execute(tx);
  if (rows[0] === undefined) throw new ActionError('Invalid', 'Asset not found.');
  if (rows[0].status === 'Deleting')
    throw new ActionError('Invalid', 'The asset is being deleted. Create it again, then attach it.');
}

/** Has the collector keep assets for a day: what they are attached to is about to be deleted. `assetIds` is SQL that selects their raw ids. */
export async function touchAssets(tx: Database, assetIds: RawBuilder<unknown>, now: Date): Promise<void> {
  await sql`
    with files as (
      select a.asset_id from assets a where a.asset_id in (${assetIds}) order by ${assetLockOrder} for no key update
    )
    update assets a set touched_at = greatest(a.touched_at, ${now}) from files where a.asset_id = files.asset_id`.execute(
    tx,
  );
}

/** Detaches a filename; false if there is none. The asset stays for a day, so that it can be attached again. */
export async function removeFile(
  tx: Database,
  { kind, id }: FileOwner,
  filename: string,
  now: Date,
): Promise<boolean> {
  const { files, key } = tables[kind];
  const { rows } = await sql`
    with removed as (delete from ${files} where ${key} = ${id} and filename = ${filename} returning asset_id)
    update assets a set touched_at = greatest(touched_at, ${now}) from removed
    where a.asset_id = removed.asset_id returning 1`.execute(tx);
  return rows.length > 0;
}

/** Replaces the metadata of a file; false if there is none. */
export async function setFileMetadata(
  tx: Database,
  { kind, id }: FileOwner,
  filename: string,
  metadata: string,
): Promise<boolean> {
  const { files, key } = tables[kind];
  const { rows } = await sql`
    update ${files} set metadata = ${metadata}::jsonb where ${key} = ${id} and filename = ${filename} returning 1`.execute(
    tx,
  );
  return rows.length > 0;
}
