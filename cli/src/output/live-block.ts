/** Lines at the bottom of a terminal that are randomBetween over themselves, below lines that stay. */
export class LiveRegion {
  readonly #write: (text: string) => void;
  #height = 0;
  #shown = '';

  /** Draws by this. */
  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Draws the lines in place of the last ones; each must fit into the width of the terminal. */
  draw(lines: readonly string[]): void {
    const text = lines.map((line) => `${line}\n`).join('');
    if (text === this.#shown) return;
    this.#write(`${this.#up()}${text}`);
    this.#height = lines.length;
    this.#shown = text;
  }

  /** Puts a line above, where it stays. */
  keep(line: string): void {
    this.#write(`${this.#up()}${line}\n${this.#shown}`);
  }

  #up(): string {
    return this.#height === 0 ? '' : `\u001B[${this.#height}A\u001B[J`;
  }
}
