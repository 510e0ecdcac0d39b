import { parseArgs } from 'node:util';
import { ConfigError } from './ConfigError.ts';

/** The parsed arguments of `corral-hub reset-administrator`. */
export interface ResetCommandLine {
  readonly isHelpWanted: boolean;
  readonly isVersionWanted: boolean;
  /** The account; by default that of CORRAL_ADMIN_EMAIL. */
  readonly email: string | undefined;
  /** The arguments that the hub itself reads. */
  readonly hubArguments: readonly string[];
}

/** The text of `corral-hub reset-administrator --help`. */
export const resetHelp = `Usage: corral-hub reset-administrator [options]

Gives an administrator who lost the password a new one, prints it once, and ends the sessions of the account. The account is enabled and
made an administrator if it is not. The hub may be running.

  --email ADDRESS    The account, by default that of CORRAL_ADMIN_EMAIL.
  --config FILE      Reads settings from this TOML file, as the hub does.
  --data-dir DIR     Sets CORRAL_DATA_DIR.
  --version          Prints the version of the hub.
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  email: { type: 'string' },
  config: { type: 'string' },
  'data-dir': { type: 'string' },
} as const;

/** Parses the arguments behind `reset-administrator`. Throws `ConfigError` for an unknown option or a missing value. */
export function readResetCommandLine(argv: readonly string[]): ResetCommandLine {
  const { values } = parse(argv);
  const passed = (['config', 'data-dir'] as const).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  return {
    isHelpWanted: values.help === true,
    isVersionWanted: values.version === true,
    email: values.email,
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
