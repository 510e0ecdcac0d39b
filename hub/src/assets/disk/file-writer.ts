import type { FileHandle } from 'node:fs/promises';
import type { DiskRoom } from './disk-room.ts';
import { syncBytes } from './file-faults.ts';
import { writeBlocks } from './write-blocks.ts';

const syncedBytes = 33_554_432;

/** Writes blocks to a file, one behind the other. */
export interface FileWriter {
  /** Resolves when the block is written and may change; blocks may be written without waiting for the one before. */
  write(block: Uint8Array): Promise<void>;
  /** Resolves when everything is durable, or written to a temporary file. Rejects with an UnsyncedError, also when called again, if a sync failed. */
  finish(): Promise<void>;
  /** Waits until nothing is being written, for the time before the file is closed; never rejects. */
  settle(): Promise<void>;
}

/** Where a writer starts, and what it may take. */
interface FileWriterOptions {
  readonly room: DiskRoom;
  readonly startsAt?: number;
  /** Whether the bytes need not be durable. */
  readonly isTemporary?: boolean;
}

interface WaitingBlock extends PromiseWithResolvers<void> {
  readonly block: Uint8Array;
}

/** Builds a writer that starts at an offset. It fails with a StorageError where the disk has no more room. */
export function createFileWriter(file: FileHandle, options: FileWriterOptions): FileWriter {
  return new Writer(file, options);
}

/** What has come while the thread writes is its next message, because each message costs a wake-up. */
class Writer implements FileWriter {
  readonly #file: FileHandle;
  readonly #isTemporary: boolean;
  readonly #room: DiskRoom;
  #offset: number;
  #syncedTo: number;
  #waiting: WaitingBlock[] = [];
  #writing: Promise<void> | undefined;
  #syncing: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(file: FileHandle, { room, startsAt = 0, isTemporary = false }: FileWriterOptions) {
    this.#file = file;
    this.#room = room;
    this.#isTemporary = isTemporary;
    this.#offset = this.#syncedTo = startsAt;
  }

  write(block: Uint8Array): Promise<void> {
    // Behind a failed write comes none, so that the file has no hole.
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    const waiting = { block, ...Promise.withResolvers<void>() };
    this.#waiting.push(waiting);
    this.#writing ??= this.#writeWaiting();
    return waiting.promise;
  }

  async finish(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure.error;
    await this.#syncing;
    if (!this.#isTemporary) await this.#sync();
  }

  async settle(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#syncing]);
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const blocks = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#failure !== undefined) throw this.#failure.error;
        const bytes = blocks.map(({ block }) => block);
        const sizeBytes = bytes.reduce((sum, block) => sum + block.length, 0);
        this.#offset += await this.#room.write(sizeBytes, () => writeBlocks(this.#file, bytes, this.#offset));
        for (const { resolve } of blocks) resolve();
        await this.#syncBehind();
      } catch (error) {
        this.#failure ??= { error };
        for (const { reject } of blocks) reject(error);
      }
    }
    this.#writing = undefined;
  }

  /** The disk works while the bytes come in, so that the last sync is short. It is behind by twice `syncedBytes` at most. */
  async #syncBehind(): Promise<void> {
    if (this.#isTemporary || this.#offset - this.#syncedTo < syncedBytes) return;
    this.#syncedTo = this.#offset;
    await this.#syncing;
    this.#syncing = this.#sync();
    this.#syncing.catch(() => undefined);
  }

  async #sync(): Promise<void> {
    try {
      await syncBytes(this.#file);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}
