import { handlers } from '../domains/handlers.ts';
import type { Storages } from '../domains/assets/storage/storages.ts';
import { missingKeyMessage, openVault } from '../platform/vault/open-vault.ts';
import type { Config } from '../config/config.ts';
import { instanceSettings } from '../config/instance-settings.ts';
import { createExecutor, type Executor } from '../calls/executor.ts';
import { missingVaultKeys, vaultKeysInUse } from '../domains/instance/index.ts';
import { configuredStorages } from '../wiring/configured-storages.ts';
import type { ExistingDatabase } from './open-existing-database.ts';

/**
 * An executor for operator commands beside a hub that may be running. It belongs to no node; its events stay in the outbox until a hub publishes
 * them. Rejects with an Error with one sentence when the secret key is missing.
 */
export async function offlineExecutor(config: Config, database: ExistingDatabase): Promise<Executor> {
  return (await openOffline(config, database)).executor;
}

/** An offline executor, and the storages that its actions use. */
export async function openOffline(
  config: Config,
  { db, now }: ExistingDatabase,
): Promise<{ readonly executor: Executor; readonly storages: Storages }> {
  const vault = await openVault(config, () => vaultKeysInUse(db));
  const missing = await missingVaultKeys(db, vault);
  if (missing.length > 0) throw new Error(missingKeyMessage(missing));
  const storages = configuredStorages(config, db, async () => vault);
  const executor = createExecutor({
    handlers,
    db,
    openingDb: db,
    now,
    nodeId: () => undefined,
    afterCommit: () => undefined,
    log: { error: () => undefined },
    vault,
    storages,
    settings: instanceSettings(config),
  });
  return { executor, storages };
}
