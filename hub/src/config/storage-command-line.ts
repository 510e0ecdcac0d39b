import { parseArgs } from 'node:util';
import { ConfigError } from './ConfigError.ts';

/** The parsed arguments of `corral-hub storage doctor`. */
export interface StorageCommandLine {
  readonly isHelpWanted: boolean;
  readonly isVersionWanted: boolean;
  readonly isJson: boolean;
  /** Whether what is wrong is repaired as far as possible; false with `--dry-run`. */
  readonly isFixing: boolean;
  /** Whether the result says what `--fix` would do. */
  readonly isDryRun: boolean;
  /** Whether bytes are read where a store does not tell their digest. */
  readonly isReading: boolean;
  /** The arguments that the hub itself reads. */
  readonly hubArguments: readonly string[];
}

/** The text of `corral-hub storage --help`. */
export const storageHelp = `Usage: corral-hub storage doctor [options]

Compares the assets in the database with what the data folder and the object stores have: assets whose bytes are missing or damaged, objects of
no asset, and what was left behind for more than a day: unfinished writes and uploads, uploads that only have to be finished, and assets that should have been deleted. The hub may run or be
stopped. Run it on the machine, with the settings and as the user of the hub. It changes nothing without --fix.
Exit codes: 0 nothing is wrong, 1 something is wrong, 2 something could not be checked.

  --fix              Does what the jobs of the hub do: records damage, so that uploading the same file heals the asset, finishes
                     uploads, and deletes what no asset needs.
  --dry-run          Changes nothing, and says what --fix would do.
  --read             Reads all bytes whose digest the store does not tell, as all in the data folder, and not only their sizes.
  --json             Prints the result as one line of JSON.
  --config FILE      Reads settings from this TOML file, as the hub does.
  --data-dir DIR     Sets CORRAL_DATA_DIR.
  --version          Prints the version of the hub.
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  json: { type: 'boolean' },
  fix: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  read: { type: 'boolean' },
  config: { type: 'string' },
  'data-dir': { type: 'string' },
} as const;

/** Parses the arguments behind `storage`. Throws `ConfigError` for an unknown command or option, or a missing value. */
export function readStorageCommandLine(argv: readonly string[]): StorageCommandLine {
  const { values, positionals } = parse(argv);
  const isHelpWanted = values.help === true;
  const isVersionWanted = values.version === true;
  if (!isHelpWanted && !isVersionWanted && positionals.join(' ') !== 'doctor')
    throw new ConfigError('storage has one command: corral-hub storage doctor; --help explains it.');
  const isDryRun = values['dry-run'] === true;
  return {
    isHelpWanted,
    isVersionWanted,
    isJson: values.json === true,
    isFixing: values.fix === true && !isDryRun,
    isDryRun,
    isReading: values.read === true,
    hubArguments: (['config', 'data-dir'] as const).flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [`--${name}`, value];
    }),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new ConfigError(`The command line is wrong: ${(error as Error).message.split('.')[0]}.`);
  }
}
