import { ProxyFailure } from './ProxyFailure.ts';

const lineFeed = 10;

/** Reads lines that end with CR LF, and with nothing else, out of pieces that come as they like. */
export class LineReader {
  #leftBytes: number;
  /** The beginning of a line whose end has not come. */
  #begun = '';
  /** The line that was read last, without its end. */
  line = '';

  /** All lines together, with their ends, are no longer than `maxBytes`. */
  constructor(maxBytes: number) {
    this.#leftBytes = maxBytes;
  }

  /** Reads one line into `line` and tells where it ended; -1 when the piece is used up before that. Throws a ProxyFailure. */
  read(piece: Buffer, from: number): number {
    const at = piece.indexOf(lineFeed, from);
    const end = at < 0 ? piece.length : at + 1;
    this.#leftBytes -= end - from;
    if (this.#leftBytes < 0) throw new ProxyFailure('garbled');
    const text = this.#begun + piece.toString('latin1', from, end);
    this.#begun = at < 0 ? text : '';
    if (at < 0) return -1;
    if (!text.endsWith('\r\n')) throw new ProxyFailure('garbled');
    this.line = text.slice(0, -2);
    return end;
  }
}
