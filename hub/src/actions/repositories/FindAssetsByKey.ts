import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { partsOfKey } from '../../assets/storage-key.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';

interface Row {
  readonly asset_id: string;
  readonly storage_key: string;
  readonly status: 'Dangling' | 'Available' | 'Deleting';
  readonly multipart_id: string | null;
}

/** Returns which objects of a store belong to assets. */
export const FindAssetsByKey: Handler<'repositories_FindAssetsByKey'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input: { storeId = null, storageKeys } }) {
    const parts = storageKeys.map(partsOfKey).filter((part) => part !== undefined);
    const { rows } = await sql<Row>`
      select a.asset_id, a.storage_key, a.status, a.multipart_id
      from unnest(${parts.map(({ repositoryId }) => repositoryId)}::text[], ${parts.map(({ digest }) => digest)}::bytea[]) as k(repository_id, digest)
        join assets a on a.repository_id = k.repository_id and a.digest = k.digest
      where a.storage_key = any(${storageKeys}) and a.store_id is not distinct from ${storeId}`.execute(tx);
    return { assets: rows.map(toOutput) };
  },
};

function toOutput({ asset_id: assetId, storage_key: storageKey, status, multipart_id: multipartId }: Row) {
  return {
    assetId: ids.asset.of(assetId),
    storageKey,
    status,
    ...(multipartId === null ? {} : { multipartId }),
  };
}
