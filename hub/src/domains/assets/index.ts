// What the other domains, and the commands of operators, use of this one.
export { mustHaveRoomForDevice, overDeviceQuota } from './policy/quotas.ts';
export {
  countAssets,
  countDamagedAssets,
  findDamagedAssets,
  findDamagedRepositories,
  listAvailableAssets,
  listMovableAssets,
  type DamagedRepository,
} from './sql/asset-checks.ts';
export { findStuckDeletions } from './sql/asset-collection.ts';
export { findStoredAsset } from './sql/asset-uploads.ts';
export { foldAssetUses } from './sql/asset-uses.ts';
export {
  assetLockOrder,
  digestBytes,
  storedColumns,
  toFound,
  toStored,
  type FoundAsset,
  type StoredAsset,
} from './sql/assets.ts';
export {
  currentStoreWithSecret,
  objectStoreWithSecret,
  reencryptStoreSecrets,
  retireCurrentStore,
  saveCapabilities,
  setCurrentStore,
  type CurrentStore,
} from './sql/object-stores.ts';
export {
  claimStores,
  findUnclaimedStores,
  leaveStoresUnclaimed,
  type UnclaimedStores,
} from './sql/unclaimed-stores.ts';
