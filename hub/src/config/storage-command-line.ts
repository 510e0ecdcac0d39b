import { operatorCommand } from '../operator-command.ts';
import { ConfigError } from './ConfigError.ts';
import { defineSubCommandLine, jsonOption, mustBeCommand } from './sub-command-line.ts';

/** The arguments of `corral-hub storage`. */
export interface StorageArguments {
  readonly command: 'doctor' | 'move' | 'claim';
  readonly isJson: boolean;
  /** Whether what is wrong is repaired as far as possible; false with `--dry-run`. */
  readonly isFixing: boolean;
  /** Whether the result says what `--fix` would do. */
  readonly isDryRun: boolean;
  /** Whether bytes are read where a store does not tell their digest. */
  readonly isReading: boolean;
  /** Whether the assets of a data folder without any are lost, and not those of another folder or node. */
  readonly isFolderLost: boolean;
}

const doctorOptions = {
  fix: {
    type: 'boolean',
    doc: 'Does what the jobs of the hub do: records damage, so that uploading the same file heals the asset, finishes uploads, and deletes what no asset needs.',
  },
  'dry-run': { type: 'boolean', doc: 'Changes nothing, and says what --fix would do.' },
  read: {
    type: 'boolean',
    doc: 'Reads all bytes whose digest the store does not tell, as all in the data folder, and not only their sizes.',
  },
  'data-folder-lost': {
    type: 'boolean',
    doc: 'Calls assets missing also where the data folder has no object at all: for one that is gone for good.',
  },
} as const;

/** The command line of `corral-hub storage`; all options but --json are those of the doctor. */
export const storageCommandLine = defineSubCommandLine({
  usage: ['storage doctor [options]', 'storage move [options]', 'storage claim [options]'],
  about:
    '"doctor" compares the assets in the database with what the data folder and the object stores have: assets whose bytes are missing or damaged, objects of no asset, and what was left behind for more than a day: unfinished uploads, uploads that only have to be finished, and assets that should have been deleted. The hub may run or be stopped. Run it on the machine, with the settings and as the user of the hub. It changes nothing without --fix. "move" copies the assets of the data folder to the object stores of their repositories and has them served from there; it goes on where it was interrupted. "claim" lets a hub that was restored from a backup delete in the object stores of the backup what it needs no longer: run it once the hub that was backed up has stopped for good. "move" and "claim" have only the options below from --json on.',
  exitCodes: '0 nothing is wrong, 1 something is wrong, 2 something could not be checked.',
  options: { ...doctorOptions, ...jsonOption },
  read({ values: { json: isJson = false, ...doctors }, words }): StorageArguments {
    const command = words[0] === 'move' || words[0] === 'claim' ? words[0] : 'doctor';
    if (words.length === 0)
      throw new ConfigError(
        `Say which: ${operatorCommand('storage doctor')}, move or claim; --help explains them.`,
      );
    mustBeCommand(`storage ${command}`, words);
    const [given] = Object.keys(doctors).filter((name) => Object.hasOwn(doctorOptions, name));
    if (command !== 'doctor' && given !== undefined)
      throw new ConfigError(`storage ${command} has no option --${given}; --help explains it.`);
    const { fix = false, 'dry-run': isDryRun = false, read: isReading = false } = doctors;
    const { 'data-folder-lost': isFolderLost = false } = doctors;
    return { command, isJson, isFixing: fix && !isDryRun, isDryRun, isReading, isFolderLost };
  },
});
