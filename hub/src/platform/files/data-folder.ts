import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { makeFolder } from './make-folder.ts';

/** Makes the data folder unless it is there. Rejects with the error of the system, which `dataFolderMessage` explains. */
export async function makeDataFolder(dataDir: string, mode?: number): Promise<void> {
  await makeFolder(dataDir, mode);
  if (!(await stat(dataDir)).isDirectory())
    throw Object.assign(new Error('The data folder is a file.'), { code: 'EEXIST' });
}

/** Why the data folder cannot be used, in a sentence that names its setting; undefined for errors that are not of the file system. */
export function dataFolderMessage(error: unknown, dataDir: string): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  const isRefused = code === 'EACCES' || code === 'EPERM';
  const reason = isRefused ? `permission denied to the user ${userName()}` : reasons[code];
  return reason === undefined
    ? undefined
    : `CORRAL_DATA_DIR: the folder ${dataDir} cannot be used: ${reason}.`;
}

/** The name of the user of this process; its number where it has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

const reasons: Readonly<Record<string, string | undefined>> = {
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'there is a file of that name',
  ENOENT: 'no folder can be made there',
  EIO: 'the disk reports an error',
};
