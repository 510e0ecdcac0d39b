import type { FileHandle } from 'node:fs/promises';
import { StorageError } from '../asset-storage.ts';
import type { ContentHash } from '../content-hash.ts';
import { untilAborted } from '../until-aborted.ts';
import type { DiskRoom } from './disk-room.ts';
import { syncBytes, UnsyncedError } from './file-faults.ts';

/** What is received, and how much of it. */
export interface ReceiveOptions {
  /** That of the file's disk. */
  readonly room: DiskRoom;
  /** The memory of the pieces is freed once they are written. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Where the first byte goes. */
  readonly offset: number;
  /** The largest allowed size of the file. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly hash: ContentHash | undefined;
  /** Whether what came before a failure is kept. */
  readonly keepsPart?: boolean;
  /** Whether the file only carries the bytes for a moment, so that it need not outlive a crash. */
  readonly isTemporary?: boolean;
}

/** What is written at a time. Smaller writes cost more wake-ups, and for larger ones the system looks for larger areas of free memory. */
const blockBytes = 262_144;
/** The disk works while the bytes come in, so that the last sync is short. */
const syncedBytes = 33_554_432;

/** Writes content into a file and makes it durable, unless it is temporary. Stops at the first byte too many. A block is written while the next one comes in. */
export async function receiveContent(file: FileHandle, reception: ReceiveOptions): Promise<void> {
  const { room, bytes, offset, maxBytes, signal, hash, isTemporary = false } = reception;
  let [sizeBytes, writtenTo, syncedTo] = [offset, offset, offset];
  let gathered: Uint8Array[] = [];
  let [writing, syncing]: Promise<void>[] = [Promise.resolve(), Promise.resolve()];
  const writeGathered = async (): Promise<void> => {
    await writing;
    if (!isTemporary && writtenTo - syncedTo >= syncedBytes) {
      syncedTo = writtenTo;
      await syncing;
      syncing = syncBytes(file);
      syncing.catch(() => undefined);
    }
    if (gathered.length === 0) return;
    const [block, at, blockSize] = [gathered, writtenTo, sizeBytes - writtenTo];
    [gathered, writtenTo] = [[], sizeBytes];
    writing = room.write(blockSize, () => writeBlock(file, block, at));
    writing.catch(() => undefined);
  };
  const finish = async (): Promise<void> => {
    await writeGathered();
    await writing;
    await syncing;
    if (!isTemporary) await syncBytes(file);
  };
  try {
    for await (const piece of untilAborted(bytes, signal)) {
      if (sizeBytes + piece.length > maxBytes)
        throw new StorageError('SizeMismatch', `There are more than the announced ${maxBytes} bytes.`);
      hash?.update(piece);
      gathered.push(piece);
      sizeBytes += piece.length;
      if (sizeBytes - writtenTo >= blockBytes) await writeGathered();
    }
    await finish();
  } catch (error) {
    // What could not be made durable once may be lost, although a second sync would succeed.
    if (reception.keepsPart === true && !(error instanceof UnsyncedError))
      await finish().catch(unlessUnsynced);
    throw error;
  } finally {
    await Promise.allSettled([writing, syncing]);
  }
}

async function writeBlock(file: FileHandle, block: Uint8Array[], position: number): Promise<void> {
  const { bytesWritten } = await file.writev(block, position);
  const sizeBytes = block.reduce((sum, { length }) => sum + length, 0);
  // A short write is followed by the error that caused it, such as a full disk.
  if (bytesWritten < sizeBytes) await writeRest(file, Buffer.concat(block), { position, done: bytesWritten });
  for (const piece of block) free(piece);
}

async function writeRest(
  file: FileHandle,
  bytes: Buffer,
  { position, done }: { position: number; done: number },
) {
  while (done < bytes.length)
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}

/** Left to the garbage collector, the pieces of a GiB would make it walk the heap forty times, which halves the speed of an upload. */
function free({ buffer, byteLength }: Uint8Array): void {
  const isWhole = buffer.byteLength === byteLength;
  if (buffer instanceof ArrayBuffer && isWhole && !buffer.detached) buffer.transfer(0);
}

/** Of a part whose bytes are lost, nothing may be kept, whatever ended it. */
function unlessUnsynced(error: unknown): void {
  if (error instanceof UnsyncedError) throw error;
}
