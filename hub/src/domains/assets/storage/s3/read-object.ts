import type { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { StorageError, type ByteRange } from '../asset-storage.ts';
import { watchProgress } from '../watch-progress.ts';
import type { Connection } from './connection.ts';
import { storeFault, storeName } from './store-faults.ts';

/**
 * The bytes of an object, or of a part of it. From a store that answers with the whole instead of a part, the part is cut out. An answer with other bytes than the wanted ones
 * rejects with `Unreachable`, since it says nothing about the object.
 */
export async function readObject(
  connection: Connection,
  key: string,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
  const command = new GetObjectCommand({ Bucket: connection.settings.bucket, Key: key, ...part });
  const { Body, ContentRange } = await connection.send(command, { signal });
  const body = Body as unknown as Readable;
  const bytes = bytesOf(body, connection, signal);
  if (range === undefined) return bytes;
  if (ContentRange === undefined) return cut(bytes, range);
  const fault = faultOfPart(ContentRange, range);
  if (fault === undefined) return cut(bytes, { start: 0, end: range.end - range.start });
  body.destroy();
  throw fault;
}

const partForm = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i;

/** Why a Content-Range is not that of the wanted part. */
function faultOfPart(contentRange: string, { start, end }: ByteRange): StorageError | undefined {
  const [, from, to, size] = partForm.exec(contentRange) ?? [];
  if (Number(from) === start && Number(to) === end) return undefined;
  if (Number(from) === start && Number(size) <= end)
    return new StorageError('SizeMismatch', 'The store has fewer bytes of the asset than it should.');
  return otherBytes();
}

function otherBytes(): StorageError {
  const sentence =
    'The store sent other bytes of an object than those it was asked for: check the store, and proxies in front of it.';
  return new StorageError('Unreachable', sentence);
}

async function* cut(
  bytes: AsyncIterable<Uint8Array>,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array, void> {
  let [toSkip, left] = [start, end - start + 1];
  for await (const piece of bytes) {
    // The end of the answer is read where it is near, so that its connection can be used again.
    if (left === 0) return;
    const from = Math.min(toSkip, piece.length);
    const part = piece.subarray(from, from + left);
    toSkip -= from;
    left -= part.length;
    if (part.length > 0) yield part;
  }
  if (left > 0) throw otherBytes();
}

/** A connection that breaks in the middle is a fault of the store, and so is one that is too slow. */
async function* bytesOf(
  body: Readable,
  { settings, limits }: Connection,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  let [receivedBytes, isTaking] = [0, false];
  const stopWatch = watchProgress(
    {
      movedBytes: () => receivedBytes,
      // Whoever takes the bytes may be slower than the store.
      isHeldUp: () => isTaking,
      onSlow: () => body.destroy(tooSlow(settings)),
      nowMs: limits.nowMs,
    },
    { ...limits.progress, checkEveryMs: limits.checkEveryMs },
  );
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      receivedBytes += piece.length;
      isTaking = true;
      yield piece;
      isTaking = false;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw storeFault(error, settings);
  } finally {
    stopWatch();
  }
}

function tooSlow(settings: Connection['settings']): StorageError {
  return new StorageError(
    'Unreachable',
    `${storeName(settings)} sends the bytes of an object far too slowly: try again later.`,
  );
}
