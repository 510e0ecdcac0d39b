/** The most bytes of a block. Larger ones cost more to write: the system then looks for larger areas of free memory. */
export const blockBytes = 262_144;
const mostAtOnce = 4;
const mostSpare = 32;

/** Memory of blocks that nobody uses at present. */
const spare: Uint8Array[] = [];

/**
 * Copies pieces into blocks of memory that threads share, and passes on each full one. What consumes a block says when it may be used again;
 * up to four are consumed at a time. A failure of consuming one is thrown at a later call.
 */
export class Blocks {
  readonly #consume: (block: Uint8Array) => Promise<unknown>;
  readonly #sizeBytes: number;
  readonly #consuming: Promise<void>[] = [];
  #block: Uint8Array | undefined;
  #filledBytes = 0;

  /** `expectedBytes` is how many will come at most, so that small contents take little memory. */
  constructor(consume: (block: Uint8Array) => Promise<unknown>, expectedBytes = blockBytes) {
    this.#consume = consume;
    this.#sizeBytes = Math.max(1, Math.min(blockBytes, expectedBytes));
  }

  /** Adds bytes, which may change afterwards. Resolves when more may come. */
  async add(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length;) {
      this.#block ??= takeBlock(this.#sizeBytes);
      const piece = bytes.subarray(start, start + this.#sizeBytes - this.#filledBytes);
      this.#block.set(piece, this.#filledBytes);
      start += piece.length;
      this.#filledBytes += piece.length;
      if (this.#filledBytes === this.#sizeBytes) await this.#passOn();
    }
  }

  /** Passes on what is left and waits until everything has been consumed. */
  async flush(): Promise<void> {
    if (this.#filledBytes > 0) await this.#passOn();
    while (this.#consuming.length > 0) await this.#consuming.shift();
  }

  /** Waits until no block is in use; never rejects. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#consuming);
  }

  async #passOn(): Promise<void> {
    const [block, filledBytes] = [this.#block as Uint8Array, this.#filledBytes];
    [this.#block, this.#filledBytes] = [undefined, 0];
    const consumed = this.#consume(block.subarray(0, filledBytes)).then(() => giveBack(block));
    consumed.catch(() => undefined);
    this.#consuming.push(consumed);
    if (this.#consuming.length >= mostAtOnce) await this.#consuming.shift();
  }
}

function takeBlock(sizeBytes: number): Uint8Array {
  if (sizeBytes < blockBytes) return new Uint8Array(sizeBytes);
  return spare.pop() ?? new Uint8Array(new SharedArrayBuffer(blockBytes));
}

function giveBack(block: Uint8Array): void {
  if (block.length === blockBytes && spare.length < mostSpare) spare.push(block);
}
