import type { FileHandle } from 'node:fs/promises';
import { StorageError } from '../asset-storage.ts';
import type { ContentHash } from '../content-hash.ts';
import { untilAborted } from '../until-aborted.ts';
import { createFileWriter } from './file-writer.ts';

/** What is received, and how much of it. */
export interface Reception {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Where the first byte goes. */
  readonly offset: number;
  /** The largest allowed size of the file. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly hash: ContentHash | undefined;
  /** Whether what came before a failure is kept. */
  readonly keepsPart?: boolean;
}

/** Writes content into a file and makes it durable. Stops at the first byte too many. */
export async function receiveContent(file: FileHandle, reception: Reception): Promise<void> {
  const { bytes, offset, maxBytes, signal, hash } = reception;
  const writer = createFileWriter(file, offset);
  let sizeBytes = offset;
  try {
    for await (const piece of untilAborted(bytes, signal)) {
      if (sizeBytes + piece.length > maxBytes)
        throw new StorageError('SizeMismatch', `There are more than the announced ${maxBytes} bytes.`);
      sizeBytes += piece.length;
      const hashed = hash?.update(piece);
      await writer.write(piece);
      if (hashed !== undefined) await hashed;
    }
  } catch (error) {
    if (reception.keepsPart === true) await writer.finish().catch(() => undefined);
    throw error;
  } finally {
    await writer.settle();
  }
  await writer.finish();
}
