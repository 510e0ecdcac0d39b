import type { FileHandle } from 'node:fs/promises';
import type { ByteRange } from '../asset-storage.ts';
import { readFault } from './file-faults.ts';

/** Two of these are in memory for each of the 2,048 downloads at a time. */
const highWaterMark = 131_072;

/** The bytes of a file, or of a part of it; it closes the file, and its failures are StorageErrors. */
export async function* filePieces(
  file: FileHandle,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void> {
  try {
    yield* file.createReadStream({ ...range, highWaterMark, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    throw readFault(error);
  }
}
