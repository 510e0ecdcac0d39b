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
