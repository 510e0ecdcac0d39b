const tilde = 0x7e;
const dot = 0x2e;
const lineEnds = new Set([0x0d, 0x0a]);

/** Finds `~.` at the beginning of a line, as ssh does; `~~` types one. */
export class EscapeKeys {
  #isLineStart = true;
  #hasTilde = false;

  /** What is typed of the keys, and whether the user leaves. */
  take(keys: Buffer): { typed: Buffer; leaves: boolean } {
    const typed: number[] = [];
    for (const key of keys) {
      if (this.#hasTilde) {
        this.#hasTilde = false;
        if (key === dot) return { typed: Buffer.from(typed), leaves: true };
        typed.push(tilde);
        this.#isLineStart = false;
        if (key === tilde) continue;
      } else if (key === tilde && this.#isLineStart) {
        this.#hasTilde = true;
        continue;
      }
      typed.push(key);
      this.#isLineStart = lineEnds.has(key);
    }
    return { typed: Buffer.from(typed), leaves: false };
  }
}
