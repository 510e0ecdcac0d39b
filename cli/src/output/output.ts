import { isCapable, styleOf, type OutputStream, type Style } from './style.ts';
import type { TableLayout } from './table.ts';

/** Where a command writes: results to the standard output, all else to the error stream. */
export interface Output extends TableLayout {
  /** Whether a program reads the results. */
  readonly isJson: boolean;
  /** Whether a terminal shows the results and can be randomBetween on. */
  readonly isLive: boolean;
  /** The style of the error stream. */
  readonly noteStyle: Style;
  /** Writes a result: its JSON for programs, its text for people. */
  result(value: unknown, text: () => string): void;
  /** Writes to the standard output as it is. */
  write(text: string): void;
  /** Writes a line that is no result. */
  note(line: string): void;
}

/** Decides how to write, from what the streams are and what was asked for. */
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
    columns: stdout.isTTY === true ? (stdout.columns ?? 80) : Infinity,
    result: (value, text) => write(`${isJson ? JSON.stringify(value, undefined, 2) : text()}\n`),
    write,
    note: (line) => void stderr.write(`${line}\n`),
  };
}
