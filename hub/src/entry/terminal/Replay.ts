/** The last output of a terminal, for those who enter later. */
export class Replay {
  readonly #ring: Buffer;
  #length = 0;
  #end = 0;

  constructor(maxBytes: number) {
    this.#ring = Buffer.alloc(maxBytes);
  }

  add(bytes: Uint8Array): void {
    const kept = bytes.subarray(-this.#ring.length);
    const first = kept.subarray(0, this.#ring.length - this.#end);
    this.#ring.set(first, this.#end);
    this.#ring.set(kept.subarray(first.length));
    this.#end = (this.#end + kept.length) % this.#ring.length;
    this.#length = Math.min(this.#ring.length, this.#length + kept.length);
  }

  /** A copy of what there is, the oldest first. */
  bytes(): Buffer {
    const start = (this.#end - this.#length + this.#ring.length) % this.#ring.length;
    const first = this.#ring.subarray(start, start + this.#length);
    return Buffer.concat([first, this.#ring.subarray(0, this.#length - first.length)]);
  }
}
