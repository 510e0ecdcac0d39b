import { access, constants, mkdtemp, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { dataFolderMessage } from '../../platform/files/data-folder.ts';
import { checkOf, messageOf, type Finding } from './finding.ts';

const { right, wrong } = checkOf('Data folder');
const gib = 1024 ** 3;
const minFreeBytes = 2 * gib;

/** Whether the data folder can be used, and how much space is left. */
export async function checkFolder({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding[]> {
  try {
    const isThere = await isFolder(dataDir);
    const present = isThere ? dataDir : await nearestFolder(dataDir);
    await access(present, constants.R_OK | constants.W_OK | constants.X_OK);
    // In some folders, such as /proc, no folder can be created although they count as writable.
    if (!isThere) await rmdir(await mkdtemp(join(present, '.corral-probe-')));
    const text = isThere
      ? `${dataDir} can be read and written.`
      : `${dataDir} does not exist yet; the hub makes it when it starts.`;
    return [right(text), await freeSpace(present)];
  } catch (error) {
    const sentence = dataFolderMessage(error, dataDir) ?? messageOf(error);
    return [wrong(`${sentence} Run this as the user of the hub, and make the folder that user's.`)];
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found !== undefined && !found.isDirectory())
    throw Object.assign(new Error('It is a file.'), { code: 'EEXIST' });
  return found !== undefined;
}

/** The nearest folder above that exists. */
async function nearestFolder(path: string): Promise<string> {
  const above = dirname(path);
  return (await isFolder(above)) ? above : nearestFolder(above);
}

async function freeSpace(folder: string): Promise<Finding> {
  const { bavail, bsize, blocks } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const share = Math.floor((100 * bavail) / Math.max(1, blocks));
  const text = `${(freeBytes / gib).toFixed(1)} GiB (${share} %) are free on its disk`;
  return freeBytes < minFreeBytes
    ? wrong(`Only ${text}: make room, or uploads and then the database stop.`)
    : right(`${text}.`);
}
