import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Vault } from '../platform/vault/vault.ts';
import type { Manifest } from './backup/manifest.ts';
import { anyTable } from './backup/database-objects.ts';
import { createProgress } from './backup/progress.ts';
import { notEmpty, restoreBackup, type RestoredBackup, type RestoreTarget } from './backup/restore-backup.ts';
import { restoreCommandLine, type RestoreArguments } from '../config/backup-command-line.ts';
import { loadConfig, type Config } from '../config/config.ts';
import type { Database } from '../platform/db/connect.ts';
import { jobsSchema } from '../platform/db/jobs-schema.ts';
import { openSingleConnection } from '../platform/db/single-connection.ts';
import { startPostgres } from '../platform/postgres/start-postgres.ts';
import { existingSigningKey, verdictMessage } from '../domains/audit/index.ts';
import { unclaimedMessages } from '../domains/assets/storage/unclaimed-messages.ts';
import { codeOfBackup, contents, summaryOf } from './backup-command.ts';
import { mustHaveKey, restoreKey, vaultForRestore } from './backup-keys.ts';
import { configuredDisk, configuredStorages } from '../wiring/configured-storages.ts';
import { configuredStore } from './configured-store.ts';
import { unusableDatabase } from '../wiring/open-database.ts';
import type { HubCommand } from './run-command.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

const silent = { info() {}, warn() {}, error() {} };

/** `corral-hub restore`. */
export const restoreCommand: HubCommand<RestoreArguments> = {
  commandLine: restoreCommandLine,

  async run(given, output) {
    const config = loadConfig({ argv: given.hubArguments });
    const { text, isIntact } = await restore(config, { ...given, folder: resolve(given.folder) });
    output.write(text);
    return isIntact ? 0 : 1;
  },

  codeOf: codeOfBackup,
};

async function restore(
  config: Config,
  given: RestoreArguments,
): Promise<{ text: string; isIntact: boolean }> {
  const { folder } = given;
  const opened = new BackupWithKey(config, folder);
  const restored = await restoreBackup({
    folder,
    target: targetOf(config, opened, given),
    checkAuditLog: async (tx) => {
      const vault = await opened.vault();
      return verifyAuditLog(tx, vault && (await existingSigningKey({ tx, vault })));
    },
    progress: createProgress(process.stderr),
  });
  const isIntact = restored.verdict.problem === undefined;
  return { isIntact, text: (given.isJson ? jsonOf : textOf)(restored) };
}

type Restored = RestoredBackup<Awaited<ReturnType<typeof verifyAuditLog>>>;

function jsonOf({ manifest, verdict, leftOut, unclaimed }: Restored): string {
  const isIntact = verdict.problem === undefined;
  const sentence = verdictMessage(verdict);
  const { buckets: unclaimedBuckets } = unclaimed;
  return `${JSON.stringify({ isIntact, ...summaryOf(manifest), leftOut, unclaimedBuckets, sentence })}\n`;
}

function textOf({ manifest, verdict, leftOut, unclaimed }: Restored): string {
  const aboutStores = unclaimedMessages(unclaimed);
  const lines = [
    `The backup of ${manifest.createdAt} is restored: ${contents(manifest)}.`,
    ...(leftOut.length === 0
      ? []
      : [`Tables that are none of the hub were left out: ${leftOut.join(', ')}.`]),
    verdictMessage(verdict),
    ...(aboutStores === undefined ? [] : [aboutStores]),
    'Start the hub; people sign in again.',
  ];
  return `${lines.join('\n')}\n`;
}

/** A backup and the key of its secrets, which is known after `require` got the manifest. */
class BackupWithKey {
  readonly #config: Config;
  readonly #folder: string;
  #manifest: Manifest | undefined;

  constructor(config: Config, folder: string) {
    this.#config = config;
    this.#folder = folder;
  }

  async require(manifest: Manifest): Promise<void> {
    this.#manifest = manifest;
    await mustHaveKey(this.#config, manifest);
  }

  /** Undefined if the backup has no encrypted secrets and the hub has no key yet. */
  async vault(): Promise<Vault | undefined> {
    return this.#manifest && vaultForRestore(this.#config, this.#folder, this.#manifest);
  }

  async mustHaveVault(): Promise<Vault> {
    const vault = await this.vault();
    if (vault === undefined) throw new Error('There is no key for the secrets of the backup.');
    return vault;
  }

  restoreKey(manifest: Manifest): Promise<void> {
    return restoreKey(this.#config, this.#folder, manifest);
  }
}

function targetOf(
  config: Config,
  backup: BackupWithKey,
  { isIntoConfiguredStore, replacesOriginal }: RestoreArguments,
): RestoreTarget {
  const { dataDir, databaseUrl: url } = config;
  return {
    dataDir,
    disk: configuredDisk(config),
    jobsSchema,
    isEmbedded: url === undefined,
    refuseDatabase: () => (url === undefined ? refuseCluster(dataDir) : refuseTables(url)),
    openDatabase: () => (url === undefined ? startEmbedded(config) : openByUrl(url)),
    mustHaveKey: (manifest) => backup.require(manifest),
    placeKey: (manifest) => backup.restoreKey(manifest),
    storages: (db: Database) => configuredStorages(config, db, () => backup.mustHaveVault()),
    newStore: isIntoConfiguredStore ? configuredStore(config, () => backup.mustHaveVault()) : undefined,
    replacesOriginal,
  };
}

async function refuseCluster(dataDir: string): Promise<void> {
  const isThere = await access(join(dataDir, 'postgres', 'cluster')).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new Error(
      `CORRAL_DATA_DIR: there is a database in ${dataDir} already, and a backup is restored only where there is none: name another data folder, or move this one away.`,
    );
}

async function refuseTables(url: string): Promise<void> {
  const { db, close } = await openSingleConnection({ url }).catch((error: unknown) => {
    throw unusableDatabase(error);
  });
  const table = await anyTable(db, jobsSchema).finally(close);
  if (table !== undefined) throw notEmpty(table);
}

async function openByUrl(url: string) {
  return { address: { url }, close: async () => undefined };
}

async function startEmbedded({ dataDir, searchPath = '' }: Config) {
  const { connection, stop } = await startPostgres({ dataDir, searchPath, log: silent, isForLoading: true });
  return { address: connection, close: () => stop() };
}
