import { open, type FileHandle } from 'node:fs/promises';
import { StorageError, type StorageFault } from '../asset-storage.ts';

const fullDisk = 'The disk of the data folder is full: free space there, or use an S3-compatible store.';

const faults: Readonly<Record<string, [StorageFault, string]>> = {
  ENOSPC: ['Full', fullDisk],
  EDQUOT: [
    'Full',
    "The disk quota of the hub's user is exhausted: raise it, or free space in the data folder.",
  ],
  EFBIG: ['Full', 'The file system of the data folder does not take files of this size.'],
  ENOENT: ['Missing', 'The file of the asset is missing in the data folder: upload it again.'],
  EACCES: ['Refused', "The hub's user may not access the data folder: check its owner and permissions."],
  EPERM: ['Refused', "The hub's user may not access the data folder: check its owner and permissions."],
  EIO: [
    'Unreachable',
    'The disk of the data folder reports an error: see the log of the system, and check the disk.',
  ],
  EROFS: ['Refused', 'The data folder is on a read-only file system: mount it writable.'],
};

/** The StorageError for a disk that has no more room for assets. */
export function diskIsFull(): StorageError {
  return new StorageError('Full', fullDisk);
}

/** The StorageError for an error of the file system; other errors as they are. */
export function fileFault(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof StorageError || syscall === undefined || code === undefined) return error;
  const [fault, message] = faults[code] ?? ['Unreachable', `The data folder cannot be used (${code}).`];
  return new StorageError(fault, message, { cause: error });
}

/** The error codes of a disk or file system that has a file but not its bytes; the numbers are those of Linux for damaged structures and checksums. */
const unreadable: ReadonlySet<string> = new Set([
  'EIO',
  'Unknown system error -74',
  'Unknown system error -117',
]);

/** The same as `fileFault` for an error while an asset is read: what the disk cannot read is damage of this asset. */
export function readFault(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!unreadable.has(code)) return fileFault(error);
  return new StorageError(
    'Unreadable',
    'The disk cannot read the stored bytes of this asset: check the disk, and upload the same file again to repair the asset.',
    { cause: error },
  );
}

/**
 * The error for bytes, or for the entry of a file in its folder, that could not be made durable. The system reports this once and may drop them, although reading still shows them: a second sync would
 * succeed without them. So the file is discarded, and the client sends its bytes again. To end the process would not do: the next one would find the same file and believe it.
 */
export class UnsyncedError extends StorageError {}

/** Makes the bytes of a file durable. Rejects with an UnsyncedError. */
export async function syncBytes(file: FileHandle): Promise<void> {
  await file.datasync().catch(throwUnsynced);
}

/** Makes the entries of an open folder durable. Rejects with an UnsyncedError. */
export async function syncEntries(folder: FileHandle): Promise<void> {
  await folder.sync().catch(throwUnsynced);
}

function throwUnsynced(error: unknown): never {
  const { fault, message } = fileFault(error) as StorageError;
  throw new UnsyncedError(fault, message, { cause: error });
}

/** The same for a file that is not open. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await syncBytes(file);
  } finally {
    await file.close();
  }
}

/** Whether a file system had no room for a write. */
export function isFull(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return faults[code]?.[0] === 'Full';
}

/** Runs work with files; its failures are StorageErrors. */
export async function withFiles<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw fileFault(error);
  }
}

/** The result of the work, or undefined if there is no such file or folder. */
export async function unlessAbsent<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
