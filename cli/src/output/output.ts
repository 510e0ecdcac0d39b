import { isCapable, styleOf, type OutputStream, type Style } from './style.ts';
import type { TableLayout } from './table.ts';

/** The output of a command: results on the standard output, everything else on the error stream. */
export interface Output extends TableLayout {
  /** Whether a program reads the results. */
  readonly isJson: boolean;
  /** Whether the results are shown on a terminal that can be rewritten. */
  readonly isLive: boolean;
  /** The style of the error stream. */
  readonly noteStyle: Style;
  /** Writes a result: its JSON for programs, its text for people. */
  result(value: unknown, text: () => string): void;
  /** Writes raw text to the standard output. */
  write(text: string): void;
  /** Writes a line to the error stream. */
  note(line: string): void;
}

/** Creates the output for these streams and options. */
export function createOutput(
  { stdout, stderr }: { readonly stdout: OutputStream; readonly stderr: OutputStream },
  env: NodeJS.ProcessEnv,
  isJson: boolean,
): Output {
  const write = (text: string): void => void stdout.write(text);
  return {
    isJson,
    isLive: !isJson && isCapable(stdout, env),
    style: styleOf(stdout, env),
    noteStyle: styleOf(stderr, env),
    columns: stdout.isTTY === true ? stdout.columns || 80 : Infinity,
    result: (value, text) => write(`${isJson ? JSON.stringify(value, undefined, 2) : text()}\n`),
    write,
    note: (line) => void stderr.write(`${line}\n`),
  };
}
