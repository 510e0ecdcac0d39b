import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskStorage } from '../src/domains/assets/storage/disk/disk-storage.ts';
import { createStorages, type StorageParts, type Storages } from '../src/domains/assets/storage/storages.ts';
import type { StoreCapabilities } from '../src/domains/assets/storage/s3/store-settings.ts';
import type { Database } from '../src/platform/db/connect.ts';
import { objectStoreWithSecret } from '../src/domains/assets/sql/object-stores.ts';
import { testVault } from './test-vault.ts';

// Workers are killed at their end, so the set-up of the tests removes it.
const folder = mkdtempSync(join(process.env['CORRAL_TEST_FOLDER'] ?? tmpdir(), 'corral-assets-'));
const disk = createDiskStorage(folder);

/** Storages on disk and in the stores of a database, whose stores may be at every address. */
export function storagesOf(db: Database, more: Partial<StorageParts> = {}): Storages {
  return createStorages({
    disk,
    now: () => new Date(),
    ruleFor: () => () => undefined,
    async readStore(storeId) {
      const store = await objectStoreWithSecret(db, testVault, storeId);
      if (store === undefined) return undefined;
      const capabilities = (store.capabilities ?? undefined) as StoreCapabilities | undefined;
      return { settings: { ...store, capabilities }, owner: 'repository' };
    },
    ...more,
  });
}

/** The storages of all executors of a test worker, on disk. */
export const testStorages = createStorages({
  disk,
  now: () => new Date(),
  ruleFor: () => () => undefined,
  readStore: () => Promise.resolve(undefined),
});
