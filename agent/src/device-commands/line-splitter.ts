const lineFeed = 0x0a;

/** The longest line of a command, in bytes. */
export const maxLineBytes = 65_536;

/** Splits what a command writes into lines. */
export class LineSplitter {
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Whether a line was longer than `maxLineBytes`; its beginning was returned, and the rest of it is left out. */
  hasCut = false;

  /** The lines that end in a piece, each with its line feed. */
  push(piece: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, from)) {
      this.#keep(piece.subarray(from, at + 1));
      lines.push(this.#take());
      from = at + 1;
    }
    this.#keep(piece.subarray(from));
    return lines;
  }

  /** What follows the last line feed, if anything. */
  end(): string[] {
    return this.#bytes === 0 ? [] : [this.#take()];
  }

  #keep(part: Buffer): void {
    const room = maxLineBytes - this.#bytes;
    if (part.length > room) this.hasCut = true;
    const kept = part.subarray(0, Math.max(0, room));
    if (kept.length > 0) this.#pieces.push(Buffer.from(kept));
    this.#bytes += kept.length;
  }

  #take(): string {
    const line = Buffer.concat(this.#pieces).toString('utf8');
    this.#pieces = [];
    this.#bytes = 0;
    return line;
  }
}
