import { statfs } from 'node:fs/promises';
import { makeFolder } from '../../files/make-folder.ts';
import { diskIsFull, unlessAbsent, withFiles } from './file-faults.ts';

/** What assets may take of the file system of the data folder. The rest, the reserve, is left to the database and whatever else is there. */
export interface DiskRoom {
  /** How many bytes may still be written. */
  freeBytes(): Promise<number>;
  /** Runs a write of so many bytes; rejects with a StorageError instead if it would reach into the reserve. */
  write<Result>(sizeBytes: number, work: () => Promise<Result>): Promise<Result>;
}

const largestReserveBytes = 1024 ** 3;
const reserveShare = 0.05;
/** All writers together ask the file system again once they have written so much, or after this time. */
const lookBytes = 8 * 1_048_576;
const lookMs = 250;

/** What the file system said last. */
interface Look {
  readonly atMs: number;
  /** Without the reserve, and without what was being written then. */
  readonly freeBytes: number;
}

/** Builds the room in the file system of a folder, which is made if it is missing. The reserve is 5 % of the file system by default, at most 1 GiB. */
export function createDiskRoom(folder: string, reserveBytes?: number): DiskRoom {
  return new Room(folder, reserveBytes);
}

class Room implements DiskRoom {
  readonly #folder: string;
  readonly #reserveBytes: number | undefined;
  #last: Look = { atMs: -Infinity, freeBytes: 0 };
  #looking: Promise<Look> | undefined;
  /** What was begun since the last look. */
  #begunBytes = 0;
  /** What is being written now. */
  #writingBytes = 0;

  constructor(folder: string, reserveBytes: number | undefined) {
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
  }

  async freeBytes(): Promise<number> {
    const { freeBytes } = await this.#look();
    return Math.max(0, freeBytes);
  }

  async write<Result>(sizeBytes: number, work: () => Promise<Result>): Promise<Result> {
    while (!this.#isAllowed(sizeBytes)) {
      const { freeBytes } = await this.#look();
      if (this.#begunBytes + sizeBytes > freeBytes) throw diskIsFull();
    }
    this.#begunBytes += sizeBytes;
    this.#writingBytes += sizeBytes;
    try {
      return await work();
    } finally {
      this.#writingBytes -= sizeBytes;
    }
  }

  /** Whether the last look is enough for the write. None begins during a look, whose result would not have it. */
  #isAllowed(sizeBytes: number): boolean {
    const { atMs, freeBytes } = this.#last;
    const begunBytes = this.#begunBytes + sizeBytes;
    const isFresh = performance.now() - atMs < lookMs && (begunBytes <= lookBytes || this.#begunBytes === 0);
    return this.#looking === undefined && isFresh && begunBytes <= freeBytes;
  }

  #look(): Promise<Look> {
    this.#looking ??= this.#ask().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** What is being written at the start may already be counted as used, which is on the safe side. */
  async #ask(): Promise<Look> {
    const writingBytes = this.#writingBytes;
    const { bavail, blocks, bsize } = await withFiles(() => fileSystemOf(this.#folder));
    const reserveBytes = this.#reserveBytes ?? Math.min(largestReserveBytes, blocks * bsize * reserveShare);
    this.#begunBytes = 0;
    this.#last = {
      atMs: performance.now(),
      freeBytes: Math.floor(bavail * bsize - reserveBytes) - writingBytes,
    };
    return this.#last;
  }
}

async function fileSystemOf(folder: string) {
  const found = await unlessAbsent(statfs(folder));
  if (found !== undefined) return found;
  await makeFolder(folder);
  return statfs(folder);
}
