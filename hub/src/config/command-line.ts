import { parseArgs } from 'node:util';
import { ConfigError } from './ConfigError.ts';
import { nearest } from './nearest.ts';

/** The parsed command line; settings are not validated yet. */
export interface CommandLine {
  readonly isHelpWanted: boolean;
  readonly isVersionWanted: boolean;
  readonly configFile: string | undefined;
  readonly demoDevices: number;
  readonly settings: Readonly<Partial<Record<'host' | 'port' | 'dataDir', string>>>;
}

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  config: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'data-dir': { type: 'string' },
  demo: { type: 'string' },
} as const;

/** Every option, with a placeholder for its value, and its description for `--help`. */
export const commandLineHelp: readonly (readonly [option: string, doc: string])[] = [
  ['--help', 'Shows this text.'],
  ['--version', 'Prints the version of the hub.'],
  ['--config FILE', 'Reads settings from this TOML file.'],
  ['--host H', 'Sets CORRAL_HOST.'],
  ['--port N', 'Sets CORRAL_PORT.'],
  ['--data-dir DIR', 'Sets CORRAL_DATA_DIR.'],
  ['--demo N', 'Adds a demo project with N simulated devices.'],
];

/** Parses the arguments after the program's name. Throws `ConfigError` for an unknown option or a missing value. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  checkOptions(argv);
  const { values } = parseValues(argv);
  return {
    isHelpWanted: values.help === true,
    isVersionWanted: values.version === true,
    configFile: values.config,
    demoDevices: demoDevicesOf(values.demo),
    settings: withoutAbsent({ host: values.host, port: values.port, dataDir: values['data-dir'] }),
  };
}

function parseValues(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, strict: true });
  } catch (error) {
    throw new ConfigError(`The command line is wrong: ${(error as Error).message.split('.')[0]}.`);
  }
}

function checkOptions(argv: readonly string[]): void {
  const known = Object.keys(options);
  const unknown = argv.find(
    (word) => /^--./.test(word) && !known.includes(word.slice(2).split('=')[0] ?? ''),
  );
  if (unknown === undefined) return;
  const name = unknown.split('=')[0] ?? unknown;
  throw new ConfigError(`There is no option ${name}; did you mean --${nearest(name.slice(2), known)}?`);
}

function demoDevicesOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new ConfigError('--demo must be a whole number of devices from 0 to 9999.');
}

function withoutAbsent(settings: Record<string, string | undefined>): CommandLine['settings'] {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
