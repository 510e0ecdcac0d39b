import { StorageError, type AssetStorage } from './asset-storage.ts';
import type { DiskStorage } from './disk/disk-storage.ts';

/** The places where assets are kept. An asset names its store, so that another configuration strands nothing. */
export interface Storages {
  /** The data folder of the hub, which also keeps the parts of resumable uploads to every other store. */
  readonly disk: DiskStorage;
  /** The store with this raw id; null for the data folder. Rejects with a StorageError if there is no such store. */
  of(storeId: string | null): Promise<AssetStorage>;
}

/** Builds the storages of the instance. */
export function createStorages(disk: DiskStorage): Storages {
  return {
    disk,
    async of(storeId) {
      if (storeId === null) return disk;
      throw new StorageError('Missing', 'The store of the asset is not configured any more.');
    },
  };
}
