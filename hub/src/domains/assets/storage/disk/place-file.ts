import { rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DurableFolders } from './durable-folders.ts';
import { unlessAbsent, UnsyncedError } from './file-faults.ts';

/** A deletion at the same time may disturb each step once: the file, and each folder on the way to it. */
const maxTries = 12;

/** The folder of all objects. */
export interface ObjectRoot {
  readonly root: string;
  readonly folders: DurableFolders;
}

/**
 * Moves a durable file to the place of its key and makes the move durable; where the disk cannot, the file is removed. A file that is there already is replaced: its name is its digest, so it has the same
 * bytes, unless a crash or the disk changed them.
 */
export async function placeFile(
  temporary: string,
  { root, folders }: ObjectRoot,
  key: string,
): Promise<void> {
  const target = join(root, key);
  let made: readonly string[];
  for (let attempt = 1; ; attempt += 1) {
    try {
      made = attempt === 1 && folders.isKnown(key) ? [] : await folders.make(key);
      await rename(temporary, target);
      break;
    } catch (error) {
      // A deletion may remove the folder while it is still empty, also while it is made.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone || attempt === maxTries || (await unlessAbsent(stat(temporary))) === undefined) throw error;
    }
  }
  await removedIfUnsynced({ root, folders }, key, folders.sync(key, made));
}

/** Waits for work that makes the file of a key durable, and removes the file if the disk could not. */
export async function removedIfUnsynced(
  objects: ObjectRoot,
  key: string,
  work: Promise<void>,
): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof UnsyncedError) await removeFile(objects, key);
    throw error;
  }
}

/** Removes the file of a key, and the folders that this leaves empty. */
export async function removeFile({ root, folders }: ObjectRoot, key: string): Promise<void> {
  await rm(join(root, key), { force: true });
  const names = key.split('/').slice(0, -1);
  for (let depth = names.length; depth > 0; depth -= 1) {
    const folder = names.slice(0, depth).join('/');
    folders.forget(folder);
    const isRemoved = await rmdir(join(root, folder)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
