import { join, resolve } from 'node:path';
import { sizeInWords } from '@corral/contract';
import { openVault } from '../platform/vault/open-vault.ts';
import { checkBackup } from './backup/check-backup.ts';
import { DamagedBackupError } from './backup/DamagedBackupError.ts';
import type { Manifest } from './backup/manifest.ts';
import { createProgress } from './backup/progress.ts';
import { saveBackup, type SavedBackup } from './backup/save-backup.ts';
import { backupCommandLine, type BackupArguments } from '../config/backup-command-line.ts';
import { loadConfig, type Config } from '../config/config.ts';
import type { HubArguments } from '../config/sub-command-line.ts';
import { vaultKeysInUse } from '../domains/instance/index.ts';
import { keyForBackup } from './backup-keys.ts';
import { configuredStorages } from '../wiring/configured-storages.ts';
import { openExistingDatabase } from './open-existing-database.ts';
import type { HubCommand } from './run-command.ts';
import { version } from '../wiring/version.ts';

type CommandArguments = BackupArguments & HubArguments;

/** `corral-hub backup`. */
export const backupCommand: HubCommand<BackupArguments> = {
  commandLine: backupCommandLine,
  run: (given, output) => (given.isCheckOnly ? check(given, output) : save(given, output)),
  codeOf: codeOfBackup,
};

/** The exit code for an error: 1 for a damaged backup, otherwise 2. */
export function codeOfBackup(error: unknown): number {
  return error instanceof DamagedBackupError ? 1 : 2;
}

async function check({ folder, isJson }: CommandArguments, output: NodeJS.WritableStream): Promise<number> {
  const manifest = await checkBackup(resolve(folder), createProgress(process.stderr));
  const sentence = `The backup in ${resolve(folder)} is as it was written on ${manifest.createdAt}: ${contents(manifest)}.`;
  output.write(
    `${isJson ? JSON.stringify({ isIntact: true, ...summaryOf(manifest), sentence }) : sentence}\n`,
  );
  return 0;
}

async function save(given: CommandArguments, output: NodeJS.WritableStream): Promise<number> {
  const config = loadConfig({ argv: given.hubArguments });
  const database = await openExistingDatabase(config);
  try {
    const { db, address } = database;
    const { hasSecretKey, copiesStores } = given;
    const saved = await saveBackup({
      address,
      storages: configuredStorages(config, db, () => openVault(config, () => vaultKeysInUse(db))),
      folder: resolve(given.folder),
      copiesStores,
      secretKey: hasSecretKey ? (keyIds) => keyForBackup(config, keyIds) : undefined,
      hubVersion: version,
      now: () => new Date(),
      progress: createProgress(process.stderr),
    });
    output.write(given.isJson ? jsonOf(saved) : textOf(saved, resolve(given.folder), config));
    return saved.problems.length === 0 ? 0 : 1;
  } finally {
    await database.close();
  }
}

function jsonOf({ manifest, digest, newAssetBytes, problems }: SavedBackup): string {
  return `${JSON.stringify({ isComplete: true, ...summaryOf(manifest), digest, newAssetBytes, problems })}\n`;
}

/** The contents of a backup, for programs. */
export function summaryOf({ createdAt, tables, assets, secretKey }: Manifest) {
  const { copied, copiedBytes, inStores, inStoresBytes, unreadable } = assets;
  return {
    createdAt,
    tables: tables.length,
    rows: rowsOf(tables),
    assets: { copied, copiedBytes, inStores, inStoresBytes, unreadable },
    hasSecretKey: secretKey.file !== undefined,
  };
}

const rowsOf = (tables: Manifest['tables']): number => tables.reduce((sum, { rows }) => sum + rows, 0);

/** The contents of a backup, in words. */
export function contents({ tables, assets }: Manifest): string {
  return `${rowsOf(tables)} rows of ${tables.length} tables and ${assets.copied} assets of ${sizeInWords(assets.copiedBytes)}`;
}

function textOf(
  { manifest, digest, newAssetBytes, problems }: SavedBackup,
  folder: string,
  config: Config,
): string {
  const { assets, secretKey } = manifest;
  const lines = [
    `The backup in ${folder} is complete: ${contents(manifest)}, ${sizeInWords(newAssetBytes)} of them new.`,
    `Its manifest has the SHA-256 ${digest}.`,
    ...(assets.inStores === 0
      ? []
      : [
          `${assets.inStores} assets of ${sizeInWords(assets.inStoresBytes)} are in S3-compatible stores and not in the backup: back their buckets up, or use --with-object-stores.`,
        ]),
    secretKey.file === undefined
      ? `The key of the secrets is not in the backup: keep a copy of ${keyPlace(config)} elsewhere. Without it a restored hub cannot read its secrets, and does not start.`
      : 'The key of the secrets is in the backup: whoever has the backup can read the secrets.',
    ...(problems.length === 0 ? [] : [`${assets.unreadable} assets could not be read:`, ...problems]),
  ];
  return `${lines.join('\n')}\n`;
}

function keyPlace({ secretKeys, dataDir }: Config): string {
  return secretKeys.length > 0 ? 'CORRAL_SECRET_KEY' : join(dataDir, 'secret.key');
}
