import { createHash, randomBytes } from 'node:crypto';
import type { ExpectedContent, WriteOptions } from '../src/domains/assets/storage/asset-storage.ts';
import { chunkBytes } from '../src/domains/assets/storage/content-hash.ts';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Bytes with what they are announced as, and the digests of their chunks. */
export interface SampleContent extends ExpectedContent {
  readonly bytes: Buffer;
  readonly chunkDigests: Buffer;
}

/** Random content of a size. */
export function sampleContent(sizeBytes: number): SampleContent {
  const bytes = randomBytes(sizeBytes);
  const chunks = Array.from({ length: Math.ceil(sizeBytes / chunkBytes) }, (_, index) =>
    sha256(bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
  );
  return { bytes, sizeBytes, digest: sha256(bytes), chunkDigests: Buffer.concat(chunks) };
}

/** The bytes in pieces, as they come from a socket; chunks do not begin with one. */
export async function* inPieces(bytes: Buffer, pieceBytes = 65_521): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield Buffer.from(bytes.subarray(at, at + pieceBytes));
}

/** All bytes of a stream. */
export async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all);
}

/** The options of a write that nothing aborts. */
export function unaborted(more: Partial<WriteOptions> = {}): WriteOptions {
  return { signal: new AbortController().signal, assetId: 'asset1', ...more };
}
