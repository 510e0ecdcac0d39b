import { statfs } from 'node:fs/promises';
import { makeFolder } from '../../../../platform/files/make-folder.ts';
import { diskIsFull, unlessAbsent, withFiles } from './file-faults.ts';

/** The space of the file system of the data folder that assets may use. The rest, the reserve, is left to the database and everything else there. */
export interface DiskRoom {
  /** How many bytes may still be written. */
  freeBytes(): Promise<number>;
  /** Runs a write of so many bytes; rejects with a StorageError instead if it would reach into the reserve. */
  write<Result>(sizeBytes: number, work: () => Promise<Result>): Promise<Result>;
}

const largestReserveBytes = 1024 ** 3;
const reserveShare = 0.05;
/** The free space is measured again once all writers together have written so much, or after this time. */
const measurementBytes = 8 * 1_048_576;
const measurementMs = 250;

/** A measurement of the free space. */
interface Measurement {
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
  #last: Measurement = { atMs: -Infinity, freeBytes: 0 };
  #measuring: Promise<Measurement> | undefined;
  /** The bytes of writes that began since the last measurement. */
  #begunBytes = 0;
  /** The bytes of running writes. */
  #writingBytes = 0;

  constructor(folder: string, reserveBytes: number | undefined) {
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
  }

  async freeBytes(): Promise<number> {
    const { freeBytes } = await this.#measure();
    return Math.max(0, freeBytes);
  }

  async write<Result>(sizeBytes: number, work: () => Promise<Result>): Promise<Result> {
    while (!this.#isAllowed(sizeBytes)) {
      const { freeBytes } = await this.#measure();
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

  /** Whether the last measurement suffices to allow the write. No write begins during a measurement, which may miss it. */
  #isAllowed(sizeBytes: number): boolean {
    const { atMs, freeBytes } = this.#last;
    const begunBytes = this.#begunBytes + sizeBytes;
    const isFresh =
      performance.now() - atMs < measurementMs && (begunBytes <= measurementBytes || this.#begunBytes === 0);
    return this.#measuring === undefined && isFresh && begunBytes <= freeBytes;
  }

  #measure(): Promise<Measurement> {
    this.#measuring ??= this.#readFreeSpace().finally(() => (this.#measuring = undefined));
    return this.#measuring;
  }

  /** Running writes may already be counted as used, so this may find too little space, but never too much. */
  async #readFreeSpace(): Promise<Measurement> {
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
