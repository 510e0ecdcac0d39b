import { StorageError } from '../../domains/assets/storage/asset-storage.ts';

const reasons: Readonly<Record<string, string | undefined>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EIO: 'the disk reports an error',
  ENOTDIR: 'a part of the path is not a folder',
};

/** Why files could not be read or written, in a sentence for the operator; undefined for other errors. */
export function fileMessage(error: unknown): string | undefined {
  const { code, path, cause } = error as NodeJS.ErrnoException;
  // The message of the storage names the data folder, but the file may be one of the backup.
  if (error instanceof StorageError) return fileMessage(cause ?? {});
  const reason = reasons[code ?? ''];
  if (reason === undefined) return undefined;
  return `${path === undefined ? 'A file of the backup or of the data folder' : `The file ${path}`} cannot be used: ${reason}.`;
}
