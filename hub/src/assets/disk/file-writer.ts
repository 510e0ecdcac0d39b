import type { FileHandle } from 'node:fs/promises';

const batchBytes = 524_288;
const syncedBytes = 33_554_432;

/** Writes pieces to a file, a batch behind the other, while the next batch is collected. */
export interface FileWriter {
  /** Resolves when the next piece may come. */
  write(piece: Uint8Array): Promise<void>;
  /** Resolves when everything is durable. */
  finish(): Promise<void>;
  /** Waits for the batch that is being written, for the time before the file is closed; never rejects. */
  settle(): Promise<void>;
}

/** Builds a writer that starts at an offset. Its pieces are not copied, so they must not change. */
export function createFileWriter(file: FileHandle, startsAt = 0): FileWriter {
  let batch: Uint8Array[] = [];
  let waitingBytes = 0;
  let offset = startsAt;
  let syncedTo = startsAt;
  let writing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> = Promise.resolve();

  const flush = async (): Promise<void> => {
    await writing;
    const [pieces, at] = [batch, offset];
    offset += waitingBytes;
    batch = [];
    waitingBytes = 0;
    writing = writeFully(file, pieces, at);
    writing.catch(() => undefined);
  };
  // The disk works while the bytes come in, so that the last sync is short.
  const syncBehind = async (): Promise<void> => {
    if (offset - syncedTo < syncedBytes) return;
    syncedTo = offset;
    await syncing;
    syncing = writing.then(() => file.datasync());
    syncing.catch(() => undefined);
  };
  return {
    async write(piece) {
      batch.push(piece);
      waitingBytes += piece.length;
      if (waitingBytes < batchBytes) return;
      await flush();
      await syncBehind();
    },
    async finish() {
      await flush();
      await writing;
      await syncing;
      await file.datasync();
    },
    async settle() {
      await Promise.allSettled([writing, syncing]);
    },
  };
}

async function writeFully(file: FileHandle, pieces: readonly Uint8Array[], position: number): Promise<void> {
  if (pieces.length === 0) return;
  const { bytesWritten } = await file.writev(pieces, position);
  const total = pieces.reduce((sum, { length }) => sum + length, 0);
  if (bytesWritten === total) return;
  // A short write is followed by the error that caused it, such as a full disk.
  const rest = Buffer.concat(pieces).subarray(bytesWritten);
  for (let done = 0; done < rest.length;) {
    const { bytesWritten: more } = await file.write(
      rest,
      done,
      rest.length - done,
      position + bytesWritten + done,
    );
    done += more;
  }
}
