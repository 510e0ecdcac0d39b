import type { FileHandle } from 'node:fs/promises';
import { StorageError, type PieceSource } from '../asset-storage.ts';
import { Blocks } from '../Blocks.ts';
import type { ContentHash } from '../content-hash.ts';
import { untilAborted } from '../until-aborted.ts';
import type { DiskRoom } from './disk-room.ts';
import { UnsyncedError } from './file-faults.ts';
import { createFileWriter } from './file-writer.ts';

/** What is received, and how much of it. */
export interface ReceiveOptions {
  /** That of the file's disk. */
  readonly room: DiskRoom;
  readonly bytes: PieceSource;
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

/**
 * Writes content into a file and makes it durable, unless it is temporary. Stops at the first byte too many. Each block is hashed and written at the same time, while
 * the next ones come in.
 */
export async function receiveContent(file: FileHandle, reception: ReceiveOptions): Promise<void> {
  const { room, bytes, offset, maxBytes, signal, hash, isTemporary = false } = reception;
  const writer = createFileWriter(file, { room, startsAt: offset, isTemporary });
  const blocks = new Blocks(
    (block) => Promise.all([writer.write(block), hash?.addBlock(block)]),
    maxBytes - offset,
  );
  const finish = async (): Promise<void> => {
    await blocks.flush();
    await writer.finish();
  };
  let sizeBytes = offset;
  try {
    for await (const piece of untilAborted(bytes, signal)) {
      if (sizeBytes + piece.length > maxBytes)
        throw new StorageError('SizeMismatch', `There are more than the announced ${maxBytes} bytes.`);
      sizeBytes += piece.length;
      await blocks.add(piece);
      bytes.recycle?.(piece);
    }
    await finish();
  } catch (error) {
    if (reception.keepsPart === true) await finish().catch(unlessUnsynced);
    throw error;
  } finally {
    await blocks.settle();
    await writer.settle();
  }
}

/** Of a part whose bytes are lost, nothing may be kept, whatever ended it. */
function unlessUnsynced(error: unknown): void {
  if (error instanceof UnsyncedError) throw error;
}
