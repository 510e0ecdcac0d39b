import type { FileHandle } from 'node:fs/promises';

const syncedBytes = 33_554_432;

/** Writes blocks to a file, one behind the other. */
export interface FileWriter {
  /** Resolves when the block is written and may change; blocks may be written without waiting for the one before. */
  write(block: Uint8Array): Promise<void>;
  /** Resolves when everything is durable, or written to a temporary file. */
  finish(): Promise<void>;
  /** Waits until nothing is being written, for the time before the file is closed; never rejects. */
  settle(): Promise<void>;
}

/** Where a writer starts. */
interface FileWriterOptions {
  readonly startsAt?: number;
  /** Whether the bytes need not be durable. */
  readonly isTemporary?: boolean;
}

/** Builds a writer that starts at an offset. */
export function createFileWriter(
  file: FileHandle,
  { startsAt = 0, isTemporary = false }: FileWriterOptions = {},
): FileWriter {
  let offset = startsAt;
  let syncedTo = startsAt;
  let writing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> = Promise.resolve();

  // The disk works while the bytes come in, so that the last sync is short.
  const syncBehind = async (): Promise<void> => {
    if (isTemporary || offset - syncedTo < syncedBytes) return;
    syncedTo = offset;
    await syncing;
    syncing = writing.then(() => file.datasync());
    syncing.catch(() => undefined);
  };
  return {
    async write(block) {
      const at = offset;
      offset += block.length;
      // Behind a failed write comes none, so that the file has no hole.
      const written = writing.then(() => writeFully(file, block, at));
      writing = written;
      writing.catch(() => undefined);
      await written;
      await syncBehind();
    },
    async finish() {
      await writing;
      await syncing;
      if (!isTemporary) await file.datasync();
    },
    async settle() {
      await Promise.allSettled([writing, syncing]);
    },
  };
}

/** A short write is followed by the error that caused it, such as a full disk. */
async function writeFully(file: FileHandle, block: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < block.length;)
    done += (await file.write(block, done, block.length - done, position + done)).bytesWritten;
}
