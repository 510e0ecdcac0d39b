import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { createDiskStorage } from '../assets/disk/disk-storage.ts';
import type { StoreCapabilities } from '../assets/s3/store-settings.ts';
import { createStorages, type Storages } from '../assets/storages.ts';
import type { Vault } from '../auth/vault.ts';
import type { Config } from '../config/config.ts';
import { storeAddressRule } from '../config/store-addresses.ts';
import type { Log } from '../log/log.ts';
import {
  saveCapabilities,
  currentStoreWithSecret,
  objectStoreWithSecret,
  retireCurrentStore,
  setCurrentStore,
} from '../store/object-stores.ts';
import { probeInstanceStore, type InstanceStore } from './instance-store.ts';
import type { HubDatabase } from './open-database.ts';

interface StorageParts {
  readonly database: HubDatabase;
  readonly config: Config;
  readonly vault: Vault;
  readonly log: Log;
  /** The pause before a store that does not answer is probed again; half a minute by default. */
  readonly retryAfterMs?: number;
}

/** The storages, and the store of the configuration. */
interface OpenStorages {
  readonly storages: Storages;
  readonly instanceStore: InstanceStore;
}

/** No write takes longer, so an older temporary file was left behind by a crash. */
const maxWriteMs = 24 * 3_600_000;

/** Opens the storages of assets, removes what a crash left in the data folder, and makes the configured store the one of the instance. */
export async function openStorages(parts: StorageParts): Promise<OpenStorages> {
  const { database, config, vault, log, retryAfterMs } = parts;
  const disk = createDiskStorage(join(config.dataDir, 'assets'));
  const removed = await disk.sweep(new Date(Date.now() - maxWriteMs));
  if (removed > 0) log.info({ files: removed }, 'removed unfinished writes of assets from before a crash');
  const rules = { instance: storeAddressRule('all'), repository: storeAddressRule(config.s3PrivateRanges) };
  const storages = createStorages({
    disk,
    mayKeepOnDisk: config.peers === undefined,
    now: () => new Date(),
    ruleFor: (owner) => rules[owner],
    async readStore(storeId) {
      const store = await objectStoreWithSecret(database.db, vault, storeId);
      if (store === undefined) return undefined;
      const { capabilities, ...settings } = store;
      return {
        settings: { ...settings, capabilities: (capabilities ?? undefined) as StoreCapabilities | undefined },
        owner: store.repositoryId === null ? 'instance' : 'repository',
      };
    },
  });
  const storeId = await saveInstanceStore(parts);
  const instanceStore = probeInstanceStore({
    settings: config.objectStore,
    probe: (settings) => storages.probe(settings, 'instance'),
    save: async (capabilities) => {
      if (storeId !== undefined) await saveCapabilities(database.db, storeId, capabilities, new Date());
    },
    log,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
  return { storages, instanceStore };
}

/** Stores the configured store as that of the instance, and returns its id. */
async function saveInstanceStore({ database, config, vault }: StorageParts): Promise<string | undefined> {
  const { objectStore } = config;
  return database.db.transaction().execute(async (tx) => {
    const now = new Date();
    if (objectStore === undefined) {
      // Another node of the cluster may have set it.
      if (config.peers === undefined) await retireCurrentStore(tx, null, now);
      return undefined;
    }
    const current = await currentStoreWithSecret(tx, vault, null);
    const { secretAccessKey, ...settings } = objectStore;
    const isSame =
      current !== undefined &&
      Object.entries(objectStore).every(([name, value]) =>
        isDeepStrictEqual(current[name as keyof typeof objectStore], value),
      );
    if (isSame) return current.storeId;
    return setCurrentStore(
      { tx, vault, now },
      { repositoryId: null, settings, secretAccessKey, capabilities: null },
    );
  });
}
