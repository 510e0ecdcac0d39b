import { sql } from 'kysely';
import { storageKey } from '../../domains/assets/storage/storage-key.ts';
import type { Database } from '../../platform/db/connect.ts';
import type { CurrentStore } from '../../domains/assets/index.ts';
import { readAssetList, type ListedAsset, type NamedAsset } from './asset-list.ts';
import type { Manifest } from './manifest.ts';

type Place = Pick<NamedAsset, 'assetId' | 'storageKey'>;

const atOnce = 1_000;

/** An asset of a backup in another store than its own; one of the data folder stays there. */
export function inStore({ storeId, prefix }: CurrentStore, asset: ListedAsset): ListedAsset {
  return asset.storeId === null ? asset : { ...asset, storeId, storageKey: keyOf(prefix, asset) };
}

const keyOf = (prefix: string, { repositoryId, digest }: Pick<NamedAsset, 'repositoryId' | 'digest'>) =>
  storageKey(prefix, repositoryId, Buffer.from(digest, 'hex'));

/**
 * Moves to a store the rows of assets that the backup copied from others, and of those that are not available. Replaced stores without
 * assets are forgotten, but not unclaimed ones: it must stay known that the original may use their bucket.
 */
export async function moveRestoredAssets(
  tx: Database,
  { folder, manifest }: { readonly folder: string; readonly manifest: Manifest },
  store: CurrentStore,
): Promise<void> {
  let places: Place[] = [];
  for await (const asset of readAssetList(folder, manifest.assets.list.path)) {
    if (asset.place !== 'copied' || asset.storeId === null) continue;
    places.push(inStore(store, asset));
    if (places.length === atOnce) await movePlaces(tx, store, places.splice(0));
  }
  await movePlaces(tx, store, places);
  for (;;) {
    places = await unavailableElsewhere(tx, store);
    if (places.length === 0) break;
    await movePlaces(tx, store, places);
  }
  await sql`
    delete from object_stores s where s.replaced_at is not null and s.unclaimed_since is null
      and not exists (select from assets a where a.store_id = s.store_id)`.execute(tx);
}

async function movePlaces(tx: Database, { storeId }: CurrentStore, places: readonly Place[]): Promise<void> {
  const assetIds = places.map(({ assetId }) => assetId);
  const keys = places.map((place) => place.storageKey);
  await sql`
    update assets a set store_id = ${storeId}, storage_key = moved.key, multipart_id = null
    from unnest(${assetIds}::text[], ${keys}::text[]) as moved (asset_id, key) where a.asset_id = moved.asset_id`.execute(
    tx,
  );
}

async function unavailableElsewhere(tx: Database, { storeId, prefix }: CurrentStore): Promise<Place[]> {
  const { rows } = await sql<Pick<NamedAsset, 'assetId' | 'repositoryId' | 'digest'>>`
    select asset_id as "assetId", repository_id as "repositoryId", encode(digest, 'hex') as digest
    from assets where store_id <> ${storeId} and status <> 'Available' limit ${atOnce}`.execute(tx);
  return rows.map((asset) => ({ assetId: asset.assetId, storageKey: keyOf(prefix, asset) }));
}
