import { join } from 'node:path';
import { handlers } from '../actions/index.ts';
import { createDiskStorage } from '../assets/disk/disk-storage.ts';
import { createStorages } from '../assets/storages.ts';
import { missingKeySentence, openVault } from '../auth/open-vault.ts';
import type { Config } from '../config/config.ts';
import { storeAddressRule } from '../config/store-addresses.ts';
import { createExecutor, type Executor } from '../executor/executor.ts';
import { missingVaultKeys, vaultKeysInUse } from '../store/instance-keys.ts';
import type { ExistingDatabase } from './open-existing-database.ts';

/**
 * An executor for commands of the operator beside a hub that may be running. It belongs to no node and publishes nothing itself: the rows of its
 * events wait in the database for the next start of a hub. Rejects with an Error with one sentence when the secret key is missing.
 */
export async function offlineExecutor(config: Config, { db }: ExistingDatabase): Promise<Executor> {
  const vault = await openVault(config, () => vaultKeysInUse(db));
  const missing = await missingVaultKeys(db, vault);
  if (missing.length > 0) throw new Error(missingKeySentence(missing));
  return createExecutor({
    handlers,
    db,
    openingDb: db,
    now: () => new Date(),
    nodeId: () => undefined,
    afterCommit: () => undefined,
    log: { error: () => undefined },
    vault,
    storages: createStorages({
      disk: createDiskStorage(join(config.dataDir, 'assets')),
      now: () => new Date(),
      ruleFor: (owner) => storeAddressRule(owner === 'instance' ? 'all' : config.s3PrivateRanges),
      readStore: async () => undefined,
    }),
  });
}
