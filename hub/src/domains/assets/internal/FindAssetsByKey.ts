import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { partsOfKey } from '../storage/storage-key.ts';
import type { Internal } from '../../../calls/handler.ts';

interface StoredKey {
  readonly assetId: Id<'asset'>;
  readonly storageKey: string;
  readonly storeId?: string;
  readonly status: Row['status'];
  readonly multipartId?: string;
}

interface Row {
  readonly asset_id: string;
  readonly storage_key: string;
  readonly store_id: string | null;
  readonly status: 'Dangling' | 'Available' | 'Deleting';
  readonly multipart_id: string | null;
}

/**
 * Returns which objects belong to assets. Several rows may lead to the same objects of a store (by other addresses, prefixes or owners), so that an asset of any object
 * store counts.
 */
export const FindAssetsByKey: Internal<
  { isOnDisk: boolean; storageKeys: readonly string[] },
  { assets: StoredKey[] }
> = {
  name: 'repositories_FindAssetsByKey',
  isQuery: true,
  async run({ tx, input: { isOnDisk, storageKeys } }) {
    const parts = storageKeys.map(partsOfKey).filter((part) => part !== undefined);
    const { rows } = await sql<Row>`
      select a.asset_id, a.storage_key, a.store_id, a.status, a.multipart_id
      from unnest(${parts.map(({ repositoryId }) => repositoryId)}::text[], ${parts.map(({ digest }) => digest)}::bytea[]) as k(repository_id, digest)
        join assets a on a.repository_id = k.repository_id and a.digest = k.digest
      where a.storage_key = any(${storageKeys}) and (a.store_id is null) = ${isOnDisk}`.execute(tx);
    return { assets: rows.map(toOutput) };
  },
};

function toOutput(row: Row): StoredKey {
  const { store_id: storeId, multipart_id: multipartId, status } = row;
  return {
    assetId: ids.asset.of(row.asset_id),
    storageKey: row.storage_key,
    ...(storeId === null ? {} : { storeId }),
    status,
    ...(multipartId === null ? {} : { multipartId }),
  };
}
