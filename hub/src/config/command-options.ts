import { parseArgs } from 'node:util';
import { ConfigError } from './ConfigError.ts';
import { didYouMean } from './did-you-mean.ts';
import { wrapText } from './wrap-text.ts';

/** An option of a command line, as `parseArgs` takes it, with its description for `--help`. */
export interface CommandOption {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  /** What stands for the value in the help, such as FILE. */
  readonly placeholder?: string;
  readonly doc: string;
}

/** Options by their names without dashes. */
export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** The values of options; undefined for those that were not given. */
export type OptionValues<Options extends CommandOptions> = {
  readonly [Name in keyof Options]?: (Options[Name]['type'] extends 'boolean' ? boolean : string) | undefined;
};

/** Parsed arguments: the options, and the words beside them. */
export interface ParsedArguments<Options extends CommandOptions> {
  readonly values: OptionValues<Options>;
  readonly words: readonly string[];
}

/** Parses arguments. Throws `ConfigError` for an unknown option or a missing value. */
export function parseOptions<Options extends CommandOptions>(
  argv: readonly string[],
  options: Options,
): ParsedArguments<Options> {
  mustBeKnown(argv, Object.keys(options));
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options,
      strict: true,
      allowPositionals: true,
    });
    return { values: values as OptionValues<Options>, words: positionals };
  } catch (error) {
    throw new ConfigError(`The command line is wrong: ${(error as Error).message.split('.')[0]}.`);
  }
}

function mustBeKnown(argv: readonly string[], known: readonly string[]): void {
  const end = argv.indexOf('--');
  const unknown = argv
    .slice(0, end < 0 ? argv.length : end)
    .find((word) => /^--./.test(word) && !known.includes(word.slice(2).split('=')[0] ?? ''));
  if (unknown === undefined) return;
  const name = unknown.split('=')[0] ?? unknown;
  throw new ConfigError(`There is no option ${name}${didYouMean(name.slice(2), known, '--')}`);
}

/** Every option, with the placeholder of its value, and its description. */
export function describeOptions(options: CommandOptions): (readonly [option: string, doc: string])[] {
  return Object.entries(options).map(([name, { placeholder, doc }]) => [
    `--${name}${placeholder === undefined ? '' : ` ${placeholder}`}`,
    doc,
  ]);
}

/** The options as lines of `--help`. */
export function optionLines(options: CommandOptions): string {
  const described = describeOptions(options);
  const width = Math.max(...described.map(([option]) => option.length)) + 2;
  const indent = ' '.repeat(width + 2);
  return described
    .map(([option, doc]) => `  ${option.padEnd(width)}${wrapText(doc, 98 - width, indent).trimStart()}\n`)
    .join('');
}
