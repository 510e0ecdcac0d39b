import { link, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DurableFolders } from './durable-folders.ts';
import { unlessAbsent } from './file-faults.ts';

/** A deletion at the same time may disturb each step once: the file, and each folder on the way to it. */
const maxTries = 12;

/** The folder of all objects. */
export interface ObjectRoot {
  readonly root: string;
  readonly folders: DurableFolders;
}

/** Where a complete file goes. */
export interface Place extends ObjectRoot {
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
  let made: readonly string[];
  for (let attempt = 1; ; attempt += 1) {
    try {
      const isThere = attempt === 1 && place.folders.isKnown(place.key);
      made = isThere ? [] : await place.folders.make(place.key);
      await moveTo(temporary, target, place);
      break;
    } catch (error) {
      // A deletion may remove the folder while it is still empty, also while it is made.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone || attempt === maxTries || (await unlessAbsent(stat(temporary))) === undefined) throw error;
    }
  }
  await place.folders.sync(place.key, made);
  await unlessAbsent(unlink(temporary));
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
