import type { FileHandle } from 'node:fs/promises';
import { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { limits } from '../../limits/table.ts';
import type { ByteRange } from '../asset-storage.ts';
import { readFault } from './file-faults.ts';

const smallestBytes = 65_536;
const largestBytes = 524_288;
/** What all readers may have in pieces at a time. */
const sharedBytes = 67_108_864;
let readers = 0;
/** As many as the system reads at a time by default; those that wait take turns. */
const reads = new FairSemaphore(limits.fileReads, () => new Error('never refused'));
const all = { caller: 'all' };

/**
 * The bytes of a file, or of a part of it; it closes the file, and its failures are StorageErrors. Two buffers take turns, so a piece stays as it is until the second next one is
 * asked for. The more readers there are, the smaller are the pieces of all, so that many need little memory and each gets its share: were they larger
 * for whoever takes them faster, one that is ahead would get further ahead.
 */
export async function* filePieces(
  file: FileHandle,
  range: ByteRange | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void> {
  const buffers = [Buffer.alloc(0), Buffer.alloc(0)];
  const start = range?.start ?? 0;
  let position = start;
  readers += 1;
  try {
    // Without the size, the buffer for the read that finds the end would be a large one, also of a tiny file.
    const end = range === undefined ? (await file.stat()).size : range.end + 1;
    for (let turn = 0; position < end; turn = 1 - turn) {
      signal?.throwIfAborted();
      const wantedBytes = Math.min(position === start ? smallestBytes : shareOf(readers), end - position);
      const buffer = sized(buffers, turn, wantedBytes);
      const read = (): Promise<{ bytesRead: number }> => file.read(buffer, 0, wantedBytes, position);
      const { bytesRead } = await reads.run(all, read);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } catch (error) {
    throw readFault(error);
  } finally {
    readers -= 1;
    await file.close();
  }
}

/** The buffer of this turn; another one if it is too small, or far too large. */
function sized(buffers: Buffer[], turn: number, sizeBytes: number): Buffer {
  const present = buffers[turn];
  if (present !== undefined && present.length >= sizeBytes && present.length <= 4 * sizeBytes) return present;
  return (buffers[turn] = Buffer.allocUnsafeSlow(sizeBytes));
}

function shareOf(count: number): number {
  const share = 2 ** Math.floor(Math.log2(sharedBytes / count));
  return Math.max(smallestBytes, Math.min(share, largestBytes));
}
