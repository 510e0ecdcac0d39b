import { ids, type Json } from '@corral/contract';
import type { CompletedAsset } from './asset-uploads.ts';

/** Emits an event of an action. */
type Emit = (
  name: 'repositories_AssetAvailable' | 'repositories_AssetChecked',
  data: Readonly<Record<string, Json>>,
) => unknown;

/** Announces that the bytes of an asset are stored: that it became available, or if it was available before, that it was checked. */
export function announceCompleted(emit: Emit, asset: CompletedAsset): void {
  const { size, digest, was_available: wasAvailable } = asset;
  const assetId = ids.asset.of(asset.asset_id);
  const repositoryId = ids.repository.of(asset.repository_id);
  if (wasAvailable) emit('repositories_AssetChecked', { repositoryId, assetId });
  else emit('repositories_AssetAvailable', { repositoryId, assetId, size, digest });
}
