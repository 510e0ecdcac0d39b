import { ids, type Id } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { usesOfAsset } from './asset-uses.ts';

/** What the store of an asset said at the last check. */
export type StorageStatus = 'Unknown' | 'Present' | 'Verified' | 'Missing' | 'Mismatched' | 'Error';

/** What lists and details show of an asset. */
export interface AssetRow {
  readonly asset_id: string;
  readonly repository_id: string;
  readonly size: number;
  /** In its wire format. */
  readonly digest: string;
  readonly status: 'Dangling' | 'Available' | 'Deleting';
  readonly created_at: string;
  readonly reference_count: number;
  readonly storage_status: StorageStatus;
  readonly storage_detail: string | null;
  readonly storage_checked_at: string | null;
}

/** SQL of the wire format of a digest, `sha256_…`. */
export const digestText = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`('sha256_' || encode(${column}, 'hex'))`;

/** SQL of the columns of an `AssetRow`; the statement's `assets` must be named `a`. */
export const assetColumns = sql<AssetRow>`a.asset_id, a.repository_id, a.size, ${digestText(sql`a.digest`)} as digest,
  a.status, a.created_at, a.storage_status, a.storage_detail, a.storage_checked_at, ${usesOfAsset} as reference_count`;

/** Where the bytes of an asset are and what they must be. Ids are raw. */
export interface StoredAsset {
  readonly asset_id: string;
  readonly repository_id: string;
  readonly size: number;
  /** In its wire format. */
  readonly digest: string;
  readonly store_id: string | null;
  readonly storage_key: string;
  readonly status: 'Dangling' | 'Available' | 'Deleting';
  readonly storage_status: StorageStatus;
  readonly storage_checked_at: string | null;
  /** The unfinished upload in parts, as the store names it. */
  readonly multipart_id: string | null;
}

/** SQL of the columns of a `StoredAsset`; the statement's `assets` must be named `a`. */
export const storedColumns = sql<StoredAsset>`a.asset_id, a.repository_id, a.size, ${digestText(sql`a.digest`)} as digest,
  a.store_id, a.storage_key, a.status, a.storage_status, a.storage_checked_at, a.multipart_id`;

/**
 * SQL of the order in which a statement locks several assets: with one order everywhere, two statements never wait for each other. It is not that of the ids, because a
 * statement that creates assets learns only while it locks them which ids they have. The statement's `assets` must be named `a`.
 */
export const assetLockOrder = sql`a.repository_id, a.digest`;

/** SQL that is true if no file of a package or version refers to the asset; the statement's `assets` must be named `a`. */
export const isUnreferenced = sql<boolean>`(not exists (select from version_assets v where v.asset_id = a.asset_id)
  and not exists (select from package_assets p where p.asset_id = a.asset_id))`;

/** SQL that is true while somebody writes the bytes: until the lease of the writer ends, or that of its node. The statement's `assets` must be named `a`. */
export const isBeingUploaded = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`coalesce(a.upload_lease_ends_at > ${now} and (a.upload_lease like '/%' or exists (select from cluster_nodes n
    where n.node_id = split_part(a.upload_lease, '/', 1) and n.lease_until > ${now})), false)`;

/** SQL that is true while a client may bring the bytes with a URL of the object store itself. The statement's `assets` must be named `a`. */
export const mayBeUploadedByUrl = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`coalesce(a.upload_url_ends_at > ${now} and exists (select from object_stores s
    where s.store_id = a.store_id and s.capabilities ->> 'presignedUrls' = 'true'), false)`;

/** The bytes of a digest in its wire format. */
export function digestBytes(digest: string): Buffer {
  return Buffer.from(digest.slice('sha256_'.length), 'hex');
}

/** An asset as actions answer it. */
export function toAsset(row: AssetRow) {
  return {
    assetId: ids.asset.of(row.asset_id),
    size: row.size,
    digest: row.digest,
    status: row.status,
    createdAt: row.created_at,
    referenceCount: row.reference_count,
    storage: toStorage(row),
  };
}

function toStorage({
  storage_status: status,
  storage_checked_at: checkedAt,
  storage_detail: detail,
}: AssetRow) {
  return {
    status,
    ...(checkedAt === null ? {} : { checkedAt }),
    ...(detail === null ? {} : { detail }),
  };
}

/** Where the bytes of an asset are and what they must be, for the doors and jobs of the hub. */
export interface StoredPlace {
  readonly assetId: Id<'asset'>;
  readonly repositoryId: Id<'repository'>;
  readonly size: number;
  readonly digest: string;
  /** The raw id of the object store; absent for the data folder of the hub. */
  readonly storeId?: string;
  readonly storageKey: string;
  /** When the stored bytes were checked last. */
  readonly checkedAt?: string;
}

/** The bytes of an asset for a reader. */
export interface FoundAsset extends StoredPlace {
  readonly result: 'Found';
  readonly status: StoredAsset['status'];
  readonly storageStatus: StorageStatus;
}

/** The place of the bytes of a row. */
export function toStored(row: StoredAsset): StoredPlace {
  return {
    assetId: ids.asset.of(row.asset_id),
    repositoryId: ids.repository.of(row.repository_id),
    size: row.size,
    digest: row.digest,
    ...(row.store_id === null ? {} : { storeId: row.store_id }),
    storageKey: row.storage_key,
    ...(row.storage_checked_at === null ? {} : { checkedAt: row.storage_checked_at }),
  };
}

/** The same, for a reader. */
export function toFound(row: StoredAsset | undefined): FoundAsset | { readonly result: 'NotFound' } {
  if (row === undefined) return { result: 'NotFound' };
  return { result: 'Found', ...toStored(row), status: row.status, storageStatus: row.storage_status };
}
