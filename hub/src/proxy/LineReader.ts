import { ProxyFailure } from './ProxyFailure.ts';

const lineFeed = 10;

/** Reads lines that end with CR LF from buffers that may split them anywhere. */
export class LineReader {
  #remainingBytes: number;
  /** The start of an incomplete line. */
  #partial = '';
  /** The last complete line, without its end. */
  line = '';

  /** `maxBytes` bounds all lines together, with their ends. */
  constructor(maxBytes: number) {
    this.#remainingBytes = maxBytes;
  }

  /** Reads one line into `line` and returns the offset after it, or -1 when the line is incomplete. Throws a ProxyFailure. */
  read(bytes: Buffer, from: number): number {
    const at = bytes.indexOf(lineFeed, from);
    const end = at < 0 ? bytes.length : at + 1;
    this.#remainingBytes -= end - from;
    if (this.#remainingBytes < 0) throw new ProxyFailure('garbled');
    const text = this.#partial + bytes.toString('latin1', from, end);
    this.#partial = at < 0 ? text : '';
    if (at < 0) return -1;
    if (!text.endsWith('\r\n')) throw new ProxyFailure('garbled');
    this.line = text.slice(0, -2);
    return end;
  }
}
