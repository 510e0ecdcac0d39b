import { parseArgs } from 'node:util';
import { ConfigError } from './ConfigError.ts';

/** The parsed arguments of `corral-hub audit verify`. */
export interface AuditCommandLine {
  readonly isHelpWanted: boolean;
  readonly isVersionWanted: boolean;
  readonly isJson: boolean;
  /** An exported log to check instead of the database. */
  readonly file: string | undefined;
  /** A file with logged seals, to compare those of the database with. */
  readonly seals: string | undefined;
  /** The public key that must have signed, in base64. */
  readonly publicKey: string | undefined;
  /** The arguments that the hub itself reads. */
  readonly hubArguments: readonly string[];
}

/** The text of `corral-hub audit --help`. */
export const auditHelp = `Usage: corral-hub audit verify [options]

Checks that no sealed row of the audit log was changed, deleted or inserted, and names the first one that does not fit.
Exit codes: 0 all fits, 1 something does not fit, 2 the log could not be checked.

  --json             Prints the result as one line of JSON.
  --file FILE        Checks an exported log (JSON Lines) instead of the database; needs --public-key.
  --seals FILE       Also compares the seals with those that the hub has logged (lines of JSON; other lines are skipped).
  --public-key KEY   Requires this key, in base64, instead of the one in the database.
  --config FILE      Reads settings from this TOML file, as the hub does.
  --data-dir DIR     Sets CORRAL_DATA_DIR.
  --version          Prints the version of the hub.
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  json: { type: 'boolean' },
  file: { type: 'string' },
  seals: { type: 'string' },
  'public-key': { type: 'string' },
  config: { type: 'string' },
  'data-dir': { type: 'string' },
} as const;

/** Parses the arguments behind `audit`. Throws `ConfigError` for an unknown command, an unknown option or a missing value. */
export function readAuditCommandLine(argv: readonly string[]): AuditCommandLine {
  const { values, positionals } = parse(argv);
  const isHelpWanted = values.help === true;
  const isVersionWanted = values.version === true;
  if (!isHelpWanted && !isVersionWanted && (positionals.length !== 1 || positionals[0] !== 'verify'))
    throw new ConfigError('The command is: corral-hub audit verify; --help explains it.');
  const passed = (['config', 'data-dir'] as const).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  return {
    isHelpWanted,
    isVersionWanted,
    isJson: values.json === true,
    file: values.file,
    seals: values.seals,
    publicKey: values['public-key'],
    hubArguments: passed,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new ConfigError(`The command line is wrong: ${(error as Error).message.split('.')[0]}.`);
  }
}
