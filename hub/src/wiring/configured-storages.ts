import { join } from 'node:path';
import { createDiskStorage, type DiskStorage } from '../domains/assets/storage/disk/disk-storage.ts';
import type { StoreCapabilities } from '../domains/assets/storage/s3/store-settings.ts';
import { createStorages, type StoreOwner, type Storages } from '../domains/assets/storage/storages.ts';
import type { Vault } from '../platform/vault/vault.ts';
import type { Config } from '../config/config.ts';
import { outgoingRule } from '../config/outgoing-addresses.ts';
import type { Database } from '../platform/db/connect.ts';
import { objectStoreWithSecret } from '../domains/assets/index.ts';

/** The assets in the data folder. */
export const configuredDisk = ({ dataDir, diskReserveBytes: reserveBytes }: Config): DiskStorage =>
  createDiskStorage(join(dataDir, 'assets'), { reserveBytes });

/** The storages of the assets of a database; the vault is opened when a store is used. */
export function configuredStorages(config: Config, db: Database, openVault: () => Promise<Vault>): Storages {
  return createStorages({
    ...baseOf(config),
    mayKeepOnDisk: config.peers === undefined,
    async readStore(storeId) {
      const store = await objectStoreWithSecret(db, await openVault(), storeId);
      if (store === undefined) return undefined;
      const { capabilities, ...settings } = store;
      return {
        settings: { ...settings, capabilities: (capabilities ?? undefined) as StoreCapabilities | undefined },
        owner: store.repositoryId === null ? 'instance' : 'repository',
      };
    },
  });
}

/** Storages without a database, which only probe stores. */
export function probingStorages(config: Config): Pick<Storages, 'probe'> {
  return createStorages({ ...baseOf(config), readStore: async () => undefined });
}

function baseOf(config: Config) {
  const rules = { instance: outgoingRule('all'), repository: outgoingRule(config.privateTargets) };
  return {
    disk: configuredDisk(config),
    now: () => new Date(),
    ruleFor: (owner: StoreOwner) => rules[owner],
    redirectHosts: config.s3RedirectHosts,
  };
}
