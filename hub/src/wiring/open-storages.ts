import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Storages } from '../domains/assets/storage/storages.ts';
import type { Vault } from '../platform/vault/vault.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../platform/log/log.ts';
import {
  saveCapabilities,
  currentStoreWithSecret,
  retireCurrentStore,
  setCurrentStore,
} from '../domains/assets/index.ts';
import { configuredStorages } from './configured-storages.ts';
import { probeInstanceStore, type InstanceStore } from './instance-store.ts';
import type { HubDatabase } from './open-database.ts';

interface StorageParts {
  readonly database: HubDatabase;
  readonly config: Config;
  readonly vault: Vault;
  readonly log: Log;
  /** The delay before an unavailable store is probed again; half a minute by default. */
  readonly retryAfterMs?: number;
}

/** The storages, and the store of the configuration. */
interface OpenStorages {
  readonly storages: Storages;
  readonly instanceStore: InstanceStore;
}

/** Opens the storages of assets, and saves the configured store as that of the instance. */
export async function openStorages(parts: StorageParts): Promise<OpenStorages> {
  const { database, config, vault, log, retryAfterMs } = parts;
  const storages = configuredStorages(config, database.db, async () => vault);
  // Hubs before wrote whole uploads there.
  await rm(join(config.dataDir, 'assets', 'tmp'), { recursive: true, force: true });
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

/** Saves the configured store as that of the instance, and returns its id. */
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
