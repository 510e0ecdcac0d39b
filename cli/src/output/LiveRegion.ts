/** Lines at the bottom of a terminal that are rewritten in place, below lines that stay. */
export class LiveRegion {
  readonly #write: (text: string) => void;
  #height = 0;
  #shown = '';

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Replaces the lines; each must fit into the width of the terminal. */
  render(lines: readonly string[]): void {
    const text = lines.map((line) => `${line}\n`).join('');
    if (text === this.#shown) return;
    this.#write(`${this.#up()}${text}`);
    this.#height = lines.length;
    this.#shown = text;
  }

  /** Prints a line above the region. */
  print(line: string): void {
    this.#write(`${this.#up()}${line}\n${this.#shown}`);
  }

  #up(): string {
    return this.#height === 0 ? '' : `\u001B[${this.#height}A\u001B[J`;
  }
}
