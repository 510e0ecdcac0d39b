import { createHash } from 'node:crypto';

/** The hub keeps the SHA-256 of each MiB of an asset. */
export const chunkBytes = 1_048_576;
const digestBytes = 32;

/** A part of a file: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The digests of the chunks of an asset, and which of them are there. */
export class ChunkMap {
  readonly #digests: Buffer;
  readonly #isPresent: Uint8Array;
  readonly sizeBytes: number;
  readonly count: number;
  #presentCount = 0;
  #presentBytes = 0;

  /** Throws a RangeError unless there is one digest for each MiB. */
  constructor(sizeBytes: number, digests: Buffer) {
    this.sizeBytes = sizeBytes;
    this.count = Math.ceil(sizeBytes / chunkBytes);
    if (digests.length !== this.count * digestBytes) throw new RangeError('a digest for each chunk');
    this.#digests = digests;
    this.#isPresent = new Uint8Array(this.count);
  }

  get isComplete(): boolean {
    return this.#presentCount === this.count;
  }

  get presentBytes(): number {
    return this.#presentBytes;
  }

  span(index: number): Span {
    const start = index * chunkBytes;
    return { start, end: Math.min(this.sizeBytes, start + chunkBytes) };
  }

  /** The digest of a chunk as a key for comparisons. */
  keyOf(index: number): string {
    return this.#digests.toString('latin1', index * digestBytes, (index + 1) * digestBytes);
  }

  isPresent(index: number): boolean {
    return this.#isPresent[index] === 1;
  }

  /** Whether these are the bytes of the chunk. */
  matches(index: number, bytes: Uint8Array): boolean {
    const { start, end } = this.span(index);
    return bytes.length === end - start && digestKey(bytes) === this.keyOf(index);
  }

  add(index: number): void {
    if (this.isPresent(index)) return;
    this.#isPresent[index] = 1;
    this.#presentCount += 1;
    const { start, end } = this.span(index);
    this.#presentBytes += end - start;
  }

  /** The chunks that are missing, by the key of their digest. */
  missingByKey(): Map<string, number[]> {
    const wanted = new Map<string, number[]>();
    for (let index = 0; index < this.count; index += 1) {
      if (this.isPresent(index)) continue;
      const key = this.keyOf(index);
      const known = wanted.get(key);
      if (known === undefined) wanted.set(key, [index]);
      else known.push(index);
    }
    return wanted;
  }

  /** The missing bytes as few spans: neighbouring chunks are one. */
  missingSpans(): Span[] {
    const spans: Span[] = [];
    for (let index = 0; index < this.count; index += 1) {
      if (this.isPresent(index)) continue;
      const first = index;
      while (index + 1 < this.count && !this.isPresent(index + 1)) index += 1;
      spans.push({ start: this.span(first).start, end: this.span(index).end });
    }
    return spans;
  }
}

/** The SHA-256 of bytes as a key for comparisons. */
export function digestKey(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('binary');
}
