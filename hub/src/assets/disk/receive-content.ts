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

/** The disk works while the bytes come in, so that the last sync is short. */
const syncedBytes = 33_554_432;

/** Writes content into a file and makes it durable, unless it is temporary. Stops at the first byte too many. Each piece is hashed and written while the next one comes in. */
export async function receiveContent(file: FileHandle, reception: ReceiveOptions): Promise<void> {
  const { room, bytes, offset, maxBytes, signal, hash, isTemporary = false } = reception;
  let [sizeBytes, syncedTo] = [offset, offset];
  let storing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> = Promise.resolve();
  const store = async (piece: Uint8Array, at: number): Promise<void> => {
    const hashing = hash?.update(piece);
    hashing?.catch(() => undefined);
    await room.write(piece.length, () => writeAll(file, piece, at));
    await hashing;
  };
  const syncBehind = async (): Promise<void> => {
    if (isTemporary || sizeBytes - syncedTo < syncedBytes) return;
    syncedTo = sizeBytes;
    await syncing;
    syncing = syncBytes(file);
    syncing.catch(() => undefined);
  };
  const finish = async (): Promise<void> => {
    await storing;
    await syncing;
    if (!isTemporary) await syncBytes(file);
  };
  try {
    for await (const piece of untilAborted(bytes, signal)) {
      if (sizeBytes + piece.length > maxBytes)
        throw new StorageError('SizeMismatch', `There are more than the announced ${maxBytes} bytes.`);
      await storing;
      await syncBehind();
      storing = store(piece, sizeBytes);
      storing.catch(() => undefined);
      sizeBytes += piece.length;
    }
    await finish();
  } catch (error) {
    // What could not be made durable once may be lost, although a second sync would succeed.
    if (reception.keepsPart === true && !(error instanceof UnsyncedError))
      await finish().catch(unlessUnsynced);
    throw error;
  } finally {
    await Promise.allSettled([storing, syncing]);
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}

/** Of a part whose bytes are lost, nothing may be kept, whatever ended it. */
function unlessUnsynced(error: unknown): void {
  if (error instanceof UnsyncedError) throw error;
}
