import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../../platform/files/make-folder.ts';
import { syncEntries, unlessAbsent } from './file-faults.ts';

const maxKnown = 20_000;

/** Makes folders below a root and makes them durable. */
export interface DurableFolders {
  /** Whether the folder of a key was there when it was last used; a deletion may have removed it since. */
  isKnown(key: string): boolean;
  /** Makes the folder of a key; resolves with the folders that were missing. */
  make(key: string): Promise<readonly string[]>;
  /** Makes the newest entry of the folder of a key durable, and the way to it: the folders that were made, and those not known to be durable. Rejects with an UnsyncedError, after which the entry is to be removed. */
  sync(key: string, made: readonly string[]): Promise<void>;
  /** To be called before a folder is removed: whoever makes it again makes it durable again. */
  forget(folder: string): void;
}

/** Remembers which folders are durable, because most files go to folders that exist and each sync takes a turn of the disk. */
export function createDurableFolders(root: string): DurableFolders {
  const known = new Set<string>();
  const data = dirname(dirname(root));
  return {
    isKnown: (key) => known.has(dirname(key)),
    async make(key) {
      const made = await makeFolder(join(root, dirname(key)));
      return foldersOf(key).filter((folder) => made.includes(join(root, folder)));
    },
    async sync(key, made) {
      const unknown = foldersOf(key).filter((folder) => made.includes(folder) || !known.has(folder));
      const parents = unknown.map((folder) => join(root, dirname(folder)));
      const above = known.size === 0 ? [data, dirname(root), root] : [];
      // At the same time, so that one commit of the file system's journal serves all.
      await Promise.all([...new Set([join(root, dirname(key)), ...parents, ...above])].map(syncFolder));
      if (known.size > maxKnown) known.clear();
      for (const folder of unknown) known.add(folder);
    },
    forget: (folder) => void known.delete(folder),
  };
}

/** The folders on the way to a key, the outermost first. */
function foldersOf(key: string): string[] {
  const names = key.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Makes the entries of a folder durable. One that is gone lost its last file to a deletion, so nothing in it is to be kept. Rejects with an UnsyncedError. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await unlessAbsent(open(folder, 'r'));
  if (handle === undefined) return;
  try {
    await syncEntries(handle);
  } finally {
    await handle.close();
  }
}
