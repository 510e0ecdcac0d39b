import { parseArgs } from 'node:util';
import { ConfigError } from './ConfigError.ts';

/** The parsed arguments of `corral-hub backup` or `corral-hub restore`. */
export interface BackupCommandLine {
  readonly isHelpWanted: boolean;
  readonly isVersionWanted: boolean;
  readonly isJson: boolean;
  /** The folder of the backup, as it was typed. */
  readonly folder: string;
  /** Whether the backup is only checked. */
  readonly isCheckOnly: boolean;
  /** Whether the key of the secrets goes into the backup. */
  readonly hasSecretKey: boolean;
  /** Whether assets in S3-compatible stores go into the backup. */
  readonly copiesStores: boolean;
  /** The arguments that the hub itself reads. */
  readonly hubArguments: readonly string[];
}

/** The text of `corral-hub backup --help`. */
export const backupHelp = `Usage: corral-hub backup FOLDER [options]
       corral-hub backup verify FOLDER [options]

Backs up the database and the assets into a folder, as they are at one moment. The hub may be running. In the folder of an earlier backup only
new assets are copied, and the earlier one is replaced once the new one is complete. "verify" reads every byte of a backup and compares it
with the digests in it.
Exit codes: 0 all is well, 1 some assets could not be read, or the backup is damaged, 2 the backup could not be made or read.

  --with-secret-key     Also saves the key of the secrets. Whoever has the backup can then read them.
  --with-object-stores  Also copies the assets that are in S3-compatible stores.
  --json                Prints the result as one line of JSON.
  --config FILE         Reads settings from this TOML file, as the hub does.
  --data-dir DIR        Sets CORRAL_DATA_DIR.
  --version             Prints the version of the hub.
`;

/** The text of `corral-hub restore --help`. */
export const restoreHelp = `Usage: corral-hub restore FOLDER [options]

Restores a backup into a data folder without a database, or into the empty database of CORRAL_DATABASE_URL, after reading every byte of the
backup. The key of the secrets must be there (CORRAL_SECRET_KEY, or the file secret.key in the data folder), unless it is in the backup.
Exit codes: 0 all is well, 1 the backup is damaged, or its audit log does not fit its seals, 2 the backup could not be restored.

  --json             Prints the result as one line of JSON.
  --config FILE      Reads settings from this TOML file, as the hub does.
  --data-dir DIR     Sets CORRAL_DATA_DIR.
  --version          Prints the version of the hub.
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  json: { type: 'boolean' },
  config: { type: 'string' },
  'data-dir': { type: 'string' },
  'with-secret-key': { type: 'boolean' },
  'with-object-stores': { type: 'boolean' },
} as const;

/** Parses the arguments behind `backup`. Throws `ConfigError` for an unknown option or a missing folder. */
export function readBackupCommandLine(argv: readonly string[]): BackupCommandLine {
  const { values, positionals } = parse(argv);
  const isCheckOnly = positionals[0] === 'verify';
  const [folder, ...others] = isCheckOnly ? positionals.slice(1) : positionals;
  const command = readCommon(values, 'backup', folder, others);
  const { 'with-secret-key': hasSecretKey = false, 'with-object-stores': copiesStores = false } = values;
  if (isCheckOnly && (hasSecretKey || copiesStores))
    throw new ConfigError('backup verify has no options that begin with --with; --help explains it.');
  return { ...command, isCheckOnly, hasSecretKey, copiesStores };
}

/** Parses the arguments behind `restore`. Throws `ConfigError` for an unknown option or a missing folder. */
export function readRestoreCommandLine(argv: readonly string[]): BackupCommandLine {
  const { values, positionals } = parse(argv);
  if ('with-secret-key' in values || 'with-object-stores' in values)
    throw new ConfigError('restore has no options that begin with --with: it restores what the backup has.');
  const [folder, ...others] = positionals;
  const command = readCommon(values, 'restore', folder, others);
  return { ...command, isCheckOnly: false, hasSecretKey: false, copiesStores: false };
}

type Values = ReturnType<typeof parse>['values'];

function readCommon(values: Values, command: string, folder: string | undefined, others: readonly string[]) {
  const isHelpWanted = values.help === true;
  const isVersionWanted = values.version === true;
  if (!isHelpWanted && !isVersionWanted && (folder === undefined || folder === '' || others.length > 0))
    throw new ConfigError(`Name one folder: corral-hub ${command} FOLDER; --help explains it.`);
  const hubArguments = (['config', 'data-dir'] as const).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  return { isHelpWanted, isVersionWanted, isJson: values.json === true, folder: folder ?? '', hubArguments };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new ConfigError(`The command line is wrong: ${(error as Error).message.split('.')[0]}.`);
  }
}
