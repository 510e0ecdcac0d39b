import type { FileHandle } from 'node:fs/promises';
import type { ByteRange } from '../asset-storage.ts';
import { readFault } from './file-faults.ts';

/** A few readers get large pieces, which take half the processor time. Two pieces are in memory for each of the 2,048 downloads at a time. */
const [largeBytes, smallBytes] = [524_288, 131_072];
const mostLarge = 64;
let readers = 0;

/** The bytes of a file, or of a part of it; it closes the file, and its failures are StorageErrors. */
export async function* filePieces(
  file: FileHandle,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void> {
  readers += 1;
  const highWaterMark = readers > mostLarge ? smallBytes : largeBytes;
  try {
    yield* file.createReadStream({ ...range, highWaterMark, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    throw readFault(error);
  } finally {
    readers -= 1;
  }
}
