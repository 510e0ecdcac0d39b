import { operatorCommand } from '../operator-command.ts';
import { ConfigError } from './ConfigError.ts';
import { defineSubCommandLine, jsonOption } from './sub-command-line.ts';

interface FolderArguments {
  readonly isJson: boolean;
  /** The folder of the backup, as it was typed. */
  readonly folder: string;
}

/** The arguments of `corral-hub restore`. */
export interface RestoreArguments extends FolderArguments {
  /** Whether assets of S3-compatible stores go into the store of the configuration instead. */
  readonly isIntoConfiguredStore: boolean;
  /** Whether the hub that was backed up has stopped for good, so that this one may delete in its stores. */
  readonly replacesOriginal: boolean;
}

/** The arguments of `corral-hub backup`. */
export interface BackupArguments extends FolderArguments {
  /** Whether the backup is only checked. */
  readonly isCheckOnly: boolean;
  /** Whether the key of the secrets goes into the backup. */
  readonly hasSecretKey: boolean;
  /** Whether assets in S3-compatible stores go into the backup. */
  readonly copiesStores: boolean;
}

/** The command line of `corral-hub backup`. */
export const backupCommandLine = defineSubCommandLine({
  usage: ['backup FOLDER [options]', 'backup verify FOLDER [options]'],
  about:
    'Backs up the database and the assets into a folder, as they are at one moment. The hub may be running. In the folder of an earlier backup only new assets are copied, and the earlier one is replaced once the new one is complete. "verify" reads every byte of a backup and compares it with the digests in it.',
  exitCodes:
    '0 all is well, 1 some assets could not be read, or the backup is damaged, 2 the backup could not be made or read.',
  options: {
    'with-secret-key': {
      type: 'boolean',
      doc: 'Also saves the key of the secrets. Whoever has the backup can then read them.',
    },
    'with-object-stores': {
      type: 'boolean',
      doc: 'Also copies the assets that are in S3-compatible stores.',
    },
    ...jsonOption,
  },
  read({ values, words }): BackupArguments {
    const isCheckOnly = words[0] === 'verify';
    const folder = onlyFolder('backup', isCheckOnly ? words.slice(1) : words);
    const { 'with-secret-key': hasSecretKey = false, 'with-object-stores': copiesStores = false } = values;
    if (isCheckOnly && (hasSecretKey || copiesStores))
      throw new ConfigError('backup verify has no options that begin with --with; --help explains it.');
    return { isJson: values.json ?? false, folder, isCheckOnly, hasSecretKey, copiesStores };
  },
});

/** The command line of `corral-hub restore`. */
export const restoreCommandLine = defineSubCommandLine({
  usage: ['restore FOLDER [options]'],
  about:
    'Restores a backup into a data folder without a database, or into the empty database of CORRAL_DATABASE_URL, after reading every byte of the backup. The key of the secrets must be there (CORRAL_SECRET_KEY, or the file secret.key in the data folder), unless it is in the backup.',
  exitCodes:
    '0 all is well, 1 the backup is damaged, or its audit log does not fit its seals, 2 the backup could not be restored.',
  options: {
    'replaces-original': {
      type: 'boolean',
      doc: 'The hub that was backed up has stopped for good: this one may delete in its object stores what it needs no longer. Without it this one deletes nothing there until "storage claim".',
    },
    'into-configured-store': {
      type: 'boolean',
      doc: 'Puts the assets that the backup copied from S3-compatible stores into the store of CORRAL_S3_ENDPOINT, such as after theirs was lost.',
    },
    ...jsonOption,
  },
  read({ values, words }): RestoreArguments {
    const { json: isJson = false, 'into-configured-store': isIntoConfiguredStore = false } = values;
    const { 'replaces-original': replacesOriginal = false } = values;
    return { isJson, folder: onlyFolder('restore', words), isIntoConfiguredStore, replacesOriginal };
  },
});

function onlyFolder(command: string, [folder = '', ...others]: readonly string[]): string {
  if (folder !== '' && others.length === 0) return folder;
  throw new ConfigError(`Name one folder: ${operatorCommand(command)} FOLDER; --help explains it.`);
}
