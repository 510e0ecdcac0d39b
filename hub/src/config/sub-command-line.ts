import { operatorCommand } from '../operator-command.ts';
import { ConfigError } from './ConfigError.ts';
import {
  optionLines,
  parseOptions,
  type CommandOptions,
  type OptionValues,
  type ParsedArguments,
} from './command-options.ts';
import { wrapText } from './wrap-text.ts';

/** What every command of the hub also understands. */
export interface HubArguments {
  /** The arguments that the hub itself reads. */
  readonly hubArguments: readonly string[];
}

/** The command line of a command such as `corral-hub doctor`. */
export interface SubCommandLine<Arguments> {
  /** The text of `--help`. */
  readonly help: string;
  /** Parses the arguments behind the name of the command. Throws `ConfigError`. */
  read(argv: readonly string[]): 'help' | 'version' | (Arguments & HubArguments);
}

interface Definition<Options extends CommandOptions, Arguments> {
  /** All ways to call it, without `corral-hub`. */
  readonly usage: readonly string[];
  /** What it does. */
  readonly about: string;
  /** What each exit code means. */
  readonly exitCodes: string;
  readonly options: Options;
  /** What was wanted; it throws `ConfigError` for words that do not fit. */
  readonly read: (parsed: ParsedArguments<Options>) => Arguments;
}

const hubOptions = {
  config: {
    type: 'string',
    placeholder: 'FILE',
    doc: 'Reads settings from this TOML file, as the hub does.',
  },
  'data-dir': { type: 'string', placeholder: 'DIR', doc: 'Sets CORRAL_DATA_DIR.' },
  help: { type: 'boolean', short: 'h', doc: 'Shows this text.' },
  version: { type: 'boolean', doc: 'Prints the version of the hub.' },
} as const;

/** The option of commands whose result programs read. */
export const jsonOption = {
  json: { type: 'boolean', doc: 'Prints the result as one line of JSON.' },
} as const;

const lines = (text: string): string => wrapText(text, 100, '');

/** Defines the command line of a command. Help, version and the options that choose the hub are the same for all. */
export function defineSubCommandLine<const Options extends CommandOptions, Arguments>({
  usage,
  about,
  exitCodes,
  options,
  read,
}: Definition<Options, Arguments>): SubCommandLine<Arguments> {
  const all = { ...options, ...hubOptions };
  const calls = usage.map(operatorCommand).join('\n       ');
  return {
    help: `Usage: ${calls}\n\n${lines(about)}\n${lines(`Exit codes: ${exitCodes}`)}\n\n${optionLines(all)}`,
    read(argv) {
      const { values, words } = parseOptions(argv, all);
      const common = values as OptionValues<typeof hubOptions>;
      if (common.help === true) return 'help';
      if (common.version === true) return 'version';
      const parsed = { values: values as OptionValues<Options>, words };
      return { ...read(parsed), hubArguments: hubArgumentsOf(common) };
    },
  };
}

function hubArgumentsOf(values: OptionValues<typeof hubOptions>): string[] {
  return (['config', 'data-dir'] as const).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
}

/** Requires that the words beside the options are those of the command. */
export function mustBeCommand(command: string, words: readonly string[]): void {
  const [, ...expected] = command.split(' ');
  if (words.join(' ') !== expected.join(' '))
    throw new ConfigError(`The command is: ${operatorCommand(command)}; --help explains it.`);
}
