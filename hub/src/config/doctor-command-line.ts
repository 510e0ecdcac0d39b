import { parseArgs } from 'node:util';
import { ConfigError } from './ConfigError.ts';

/** The parsed arguments of `corral-hub doctor`. */
export interface DoctorCommandLine {
  readonly isHelpWanted: boolean;
  readonly isVersionWanted: boolean;
  readonly isJson: boolean;
  /** The arguments that the hub itself reads. */
  readonly hubArguments: readonly string[];
}

/** The text of `corral-hub doctor --help`. */
export const doctorHelp = `Usage: corral-hub doctor [options]

Checks the settings of a hub and what it stands on: data folder, database, secret key, NATS, object store, mail server, certificate, addresses,
clocks, versions and other hubs. Each line says what is right, or what is wrong and what to do. It changes nothing, apart from objects that the check of the object
store writes and deletes. The hub may run or be stopped. Run it with the settings and as the user of the hub.
Exit codes: 0 all is right, 1 something is wrong, 2 something could not be checked.

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
} as const;

/** Parses the arguments behind `doctor`. Throws `ConfigError` for an unknown option or a missing value. */
export function readDoctorCommandLine(argv: readonly string[]): DoctorCommandLine {
  const { values } = parse(argv);
  const passed = (['config', 'data-dir'] as const).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  return {
    isHelpWanted: values.help === true,
    isVersionWanted: values.version === true,
    isJson: values.json === true,
    hubArguments: passed,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, strict: true });
  } catch (error) {
    throw new ConfigError(`The command line is wrong: ${(error as Error).message.split('.')[0]}.`);
  }
}
