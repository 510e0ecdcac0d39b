import { StorageError } from '../domains/assets/storage/asset-storage.ts';
import type { Vault } from '../platform/vault/vault.ts';
import type { NewStore } from './backup/restore-backup.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/ConfigError.ts';
import type { ObjectStoreConfig } from '../config/object-store.ts';
import { setCurrentStore } from '../domains/assets/index.ts';
import { probingStorages } from '../wiring/configured-storages.ts';

/** The store of the configuration, for the assets of a backup. Throws a ConfigError if there is none. */
export function configuredStore(config: Config, openVault: () => Promise<Vault>): NewStore {
  const { objectStore } = config;
  if (objectStore === undefined)
    throw new ConfigError(
      'CORRAL_S3_ENDPOINT: --into-configured-store needs a store: set it and the settings beside it.',
    );
  const { secretAccessKey, ...settings } = objectStore;
  return {
    check: () => checkObjectStore(config, objectStore),
    async save(tx) {
      const wanted = { repositoryId: null, settings, secretAccessKey, capabilities: null };
      const storeId = await setCurrentStore({ tx, vault: await openVault(), now: new Date() }, wanted);
      return { storeId, prefix: settings.prefix };
    },
  };
}

async function checkObjectStore(config: Config, settings: ObjectStoreConfig): Promise<void> {
  try {
    await probingStorages(config).probe(settings, 'instance');
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new Error(
      `CORRAL_S3_ENDPOINT: the bucket ${settings.bucket} at ${settings.endpoint} cannot be used: ${error.message}`,
      { cause: error },
    );
  }
}
