import { hash, webcrypto } from 'node:crypto';
import { ActionError } from '@corral/contract';
import { systemCaller } from '../../calls/handler.ts';
import { type ByteRange, StorageError } from '../../domains/assets/storage/asset-storage.ts';
import { createByteSplitter } from '../../domains/assets/storage/byte-splitter.ts';
import { chunkBytes } from '../../domains/assets/storage/content-hash.ts';
import type { FoundAsset } from './download.ts';
import type { TransfersContext } from './transfers-context.ts';

const digestBytes = 32;
const digestsAtOnce = 1024;
const minThreadBytes = 262_144;

/** The SHA-256 of a chunk of an asset, by its number; undefined if it is not kept. */
export type DigestOf = (index: number) => Promise<Buffer | undefined>;

/** The kept digests of an asset; they are read when the first one is needed, and the following ones with it. */
export function keptDigests({ parts }: TransfersContext, { assetId, size, digest }: FoundAsset): DigestOf {
  if (size <= chunkBytes) return async () => Buffer.from(digest.slice('sha256_'.length), 'hex');
  let page = { first: 0, digests: Buffer.alloc(0), hasSome: true };
  const read = async (first: number): Promise<typeof page> => {
    const wanted = { assetId, after: first, limit: digestsAtOnce };
    const { total, digests } = await parts.executor.invoke(
      systemCaller,
      'repositories_GetAssetChunks',
      wanted,
    );
    return { first, digests: Buffer.from(digests, 'base64'), hasSome: total > 0 };
  };
  const inPage = (index: number): Buffer | undefined => {
    const at = (index - page.first) * digestBytes;
    return at >= 0 && at < page.digests.length ? page.digests.subarray(at, at + digestBytes) : undefined;
  };
  return async (index) => {
    if (inPage(index) === undefined && page.hasSome) page = await read(index).catch(noneOfADeletedAsset);
    return inPage(index);
  };
}

/** The file of an asset that is deleted meanwhile is still open. */
function noneOfADeletedAsset(error: unknown): {
  first: number;
  digests: Buffer<ArrayBuffer>;
  hasSome: boolean;
} {
  if (error instanceof ActionError && error.kind === 'Invalid')
    return { first: 0, digests: Buffer.alloc(0), hasSome: false };
  throw error;
}

interface CheckedRange {
  readonly range: ByteRange;
  /** Of the whole asset. */
  readonly size: number;
  readonly digestOf: DigestOf;
}

/**
 * Passes on the bytes of a part of an asset, a MiB at a time. Each MiB that is read in full is checked against its digest first: instead of other bytes than those
 * that were uploaded it throws a StorageError.
 */
export async function* checkChunks(
  bytes: AsyncIterable<Uint8Array>,
  { range, size, digestOf }: CheckedRange,
): AsyncGenerator<Uint8Array, void> {
  const splitter = createByteSplitter(bytes);
  try {
    for (let position = range.start; position <= range.end;) {
      const index = Math.floor(position / chunkBytes);
      const end = Math.min((index + 1) * chunkBytes, range.end + 1);
      const chunk = await collected(splitter.take(end - position));
      const isWhole = position === index * chunkBytes && (end % chunkBytes === 0 || end === size);
      if (chunk.length < end - position)
        throw new StorageError('SizeMismatch', `The stored object does not have ${size} bytes.`);
      if (isWhole) await mustBeRight(chunk, index, digestOf);
      yield chunk;
      position = end;
    }
    // More than there should be, which the caller notices.
    yield* splitter.take(1);
  } finally {
    await splitter.close();
  }
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

async function mustBeRight(chunk: Buffer<ArrayBuffer>, index: number, digestOf: DigestOf): Promise<void> {
  const [expected, digest] = await Promise.all([digestOf(index), digestOfChunk(chunk)]);
  if (expected === undefined || digest.equals(expected)) return;
  throw new StorageError(
    'DigestMismatch',
    `MiB ${index + 1} of the stored bytes of this asset is damaged. Upload the same file again to repair it.`,
  );
}

/** Small ones are hashed here, because the way to a thread takes longer than the hash. */
async function digestOfChunk(chunk: Buffer<ArrayBuffer>): Promise<Buffer> {
  if (chunk.length < minThreadBytes) return hash('sha256', chunk, 'buffer');
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', chunk));
}
