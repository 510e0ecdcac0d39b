import { stat, statfs } from 'node:fs/promises';
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
  const reason = isRefused ? refusal(dataDir) : reasons[code];
  return reason === undefined
    ? undefined
    : `CORRAL_DATA_DIR: the folder ${dataDir} cannot be used: ${reason}.`;
}

/** A user without a name is that of a container, whose volume another one owns. */
function refusal(dataDir: string): string {
  try {
    return `permission denied to the user ${userInfo().username}`;
  } catch {
    const uid = process.getuid?.();
    return `permission denied to the user ${uid}; \`chown -R ${uid} ${dataDir}\` as root gives it to that user`;
  }
}

/** The type of the file systems that containers have of their own, as Linux numbers it. */
const overlay = 0x794c7630;

/** Whether the data folder is in the file system of a container, with which it is lost. */
export async function isLostWithContainer(dataDir: string): Promise<boolean> {
  const found = await statfs(dataDir).catch(() => undefined);
  return found?.type === overlay;
}

const reasons: Readonly<Record<string, string | undefined>> = {
  EROFS:
    'the file system is read-only; for a service of systemd, `ReadWritePaths=` names the folders that it writes',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'there is a file of that name',
  ENOENT: 'no folder can be made there',
  EIO: 'the disk reports an error',
};
