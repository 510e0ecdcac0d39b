/** A shell that runs in a terminal of its own. */
export interface Shell {
  /** What it writes; it waits for the reader. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Its exit status, 128 + n for signal n, once it has ended and all its output was read. */
  readonly exited: Promise<number>;
  /** Types into it. Fulfilled when it can take more; never rejected. */
  write(bytes: Uint8Array): Promise<void>;
  /** Changes the size of its terminal. */
  resize(cols: number, rows: number): void;
  /** Takes its terminal away, and kills it, and what runs in front, if they stay for 5 s. Fulfilled when it has ended. */
  hangUp(): Promise<void>;
}
