import { describeOptions, parseOptions } from './command-options.ts';
import { ConfigError } from './ConfigError.ts';

/** The parsed command line; settings are not validated yet. */
export interface CommandLine {
  readonly isHelpWanted: boolean;
  readonly isVersionWanted: boolean;
  readonly configFile: string | undefined;
  readonly demoDevices: number;
  readonly settings: Readonly<Partial<Record<'host' | 'port' | 'dataDir', string>>>;
}

const options = {
  help: { type: 'boolean', short: 'h', doc: 'Shows this text.' },
  version: { type: 'boolean', doc: 'Prints the version of the hub.' },
  config: { type: 'string', placeholder: 'FILE', doc: 'Reads settings from this TOML file.' },
  host: { type: 'string', placeholder: 'H', doc: 'Sets CORRAL_HOST.' },
  port: { type: 'string', placeholder: 'N', doc: 'Sets CORRAL_PORT.' },
  'data-dir': { type: 'string', placeholder: 'DIR', doc: 'Sets CORRAL_DATA_DIR.' },
  demo: { type: 'string', placeholder: 'N', doc: 'Adds a demo project with N simulated devices.' },
} as const;

/** Every option, with a placeholder for its value, and its description for `--help`. */
export const commandLineHelp = describeOptions(options);

/** Parses the arguments after the program's name. Throws `ConfigError` for an unknown option or a missing value. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const { values, words } = parseOptions(argv, options);
  const [word] = words;
  if (word !== undefined) throw new ConfigError(`There is no command ${word}; --help lists them all.`);
  return {
    isHelpWanted: values.help === true,
    isVersionWanted: values.version === true,
    configFile: values.config,
    demoDevices: demoDevicesOf(values.demo),
    settings: withoutAbsent({ host: values.host, port: values.port, dataDir: values['data-dir'] }),
  };
}

function demoDevicesOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new ConfigError('--demo must be a whole number of devices from 0 to 9999.');
}

function withoutAbsent(settings: Record<string, string | undefined>): CommandLine['settings'] {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
