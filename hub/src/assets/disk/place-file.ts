import { link, mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessAbsent } from './file-faults.ts';

const folderMode = 0o700;
const maxTries = 5;

/** Where a complete file goes. */
export interface Place {
  /** The folder of all objects. */
  readonly root: string;
  readonly key: string;
  readonly sizeBytes: number;
  /** Whether an object that is there is replaced. */
  readonly replaces: boolean;
}

/**
 * Moves a durable file to the place of its key and makes the move durable. A file of the right size that is there already stays, since its
 * name is its digest.
 */
export async function placeFile(temporary: string, place: Place): Promise<void> {
  const target = join(place.root, place.key);
  for (let attempt = 1; ; attempt += 1) {
    await makeFolder(dirname(target));
    try {
      await moveTo(temporary, target, place);
      break;
    } catch (error) {
      // A deletion may remove the folder while it is still empty.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone || attempt === maxTries || (await unlessAbsent(stat(temporary))) === undefined) throw error;
    }
  }
  await syncFolders(place.root, place.key);
  await rm(temporary, { force: true });
}

async function moveTo(temporary: string, target: string, { replaces, sizeBytes }: Place): Promise<void> {
  if (replaces) return rename(temporary, target);
  try {
    await link(temporary, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const existing = await stat(target);
    if (existing.size !== sizeBytes) await rename(temporary, target);
  }
}

/** Makes a folder that only the hub's user reads. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: folderMode });
}

/** All folders of the key may be new. They are synced at the same time, so that one commit of the file system's journal serves all. */
async function syncFolders(root: string, key: string): Promise<void> {
  const names = key.split('/').slice(0, -1);
  const folders = [root, ...names.map((_, index) => join(root, ...names.slice(0, index + 1)))];
  await Promise.all(folders.map(syncFolder));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes the file of a key, and the folders that this leaves empty. */
export async function removeFile(root: string, key: string): Promise<void> {
  await rm(join(root, key), { force: true });
  const names = key.split('/').slice(0, -1);
  for (let depth = names.length; depth > 0; depth -= 1) {
    const isRemoved = await rmdir(join(root, ...names.slice(0, depth))).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
