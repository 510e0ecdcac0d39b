import { createHash } from 'node:crypto';

const mebibyte = 1024 * 1024;
/** What makes a piece different from others. */
const headBytes = 8;
const block = Buffer.alloc(mebibyte, 'corral asset ');

/** Bytes of a given size that are made while they are sent; each MiB is different. */
export interface Content {
  readonly sizeBytes: number;
  /** The SHA-256 as the hub's actions take it. */
  readonly digest: string;
  /** The piece at an index; the buffer is valid until the next call with another slot. */
  piece(index: number, slot: number): Buffer;
  readonly pieces: number;
}

// A socket may still hold earlier pieces while the next ones are made.
const slots = Array.from({ length: 64 }, () => Buffer.from(block));

/** Content of a size; `seed` makes contents of one size different. */
export function content(sizeBytes: number, seed: number): Content {
  const pieces = Math.max(1, Math.ceil(sizeBytes / mebibyte));
  // Small contents are sent at the same time, so each has bytes of its own.
  const own = pieces === 1 ? Buffer.from(block.subarray(0, Math.max(sizeBytes, headBytes))) : undefined;
  const piece = (index: number, slot: number): Buffer => {
    const buffer = own ?? slots[slot % slots.length] ?? block;
    buffer.writeUInt32LE(seed, 0);
    buffer.writeUInt32LE(index, 4);
    return buffer.subarray(0, Math.min(mebibyte, sizeBytes - index * mebibyte));
  };
  const hash = createHash('sha256');
  for (let index = 0; index < pieces; index += 1) hash.update(piece(index, 0));
  return { sizeBytes, digest: `sha256_${hash.digest('hex')}`, piece, pieces };
}
