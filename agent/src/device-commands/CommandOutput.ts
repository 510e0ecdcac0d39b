import { parseExactJson, type Json } from '@corral/contract';
import { LineSplitter, maxLineBytes } from './line-splitter.ts';

const maxBytes = 16 * 1_048_576;
const maxLines = 16_384;

/** Whether a command wrote more to one of its outputs than any may. */
export const isTooMuch = (bytes: number, lines: number): boolean => bytes > maxBytes || lines > maxLines;
/** That it did, as the end of a sentence about the command. */
export const tooMuch = 'wrote more than 16 MiB or 16,384 lines';

/** The output of a command: the `data` of the last line `{"type":"Output","data":…}` on its standard output. Other lines mean nothing. */
export class CommandOutput {
  readonly #splitter = new LineSplitter();
  #bytes = 0;
  #lines = 0;
  #last: string | undefined;
  /** Why the output is not taken, as the end of a sentence about the command. */
  fault: string | undefined;

  /** Takes what the command wrote. */
  push(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#take(this.#splitter.push(piece));
  }

  /** The output; undefined if the command wrote none. */
  end(): Json | undefined {
    this.#take(this.#splitter.end());
    return this.#last === undefined ? undefined : outputOf(this.#last);
  }

  #take(lines: readonly string[]): void {
    this.#lines += lines.length;
    for (const line of lines) if (outputOf(line) !== undefined) this.#last = line;
    if (this.#splitter.hasCut) this.fault = `wrote a line of more than ${maxLineBytes / 1_024} KiB`;
    else if (isTooMuch(this.#bytes, this.#lines)) this.fault = tooMuch;
  }
}

function outputOf(line: string): Json | undefined {
  if (!/^\s*\{/.test(line)) return undefined;
  try {
    const parsed = parseExactJson(line) as Readonly<Record<string, Json>>;
    return parsed['type'] === 'Output' ? parsed['data'] : undefined;
  } catch {
    return undefined;
  }
}
