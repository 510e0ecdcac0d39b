import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedObject } from '../asset-storage.ts';
import { unlessAbsent } from './file-faults.ts';

/** The files below a folder whose paths are behind `after`, at most `max`, in the order of their paths. */
export async function listFiles(root: string, after: string, max: number): Promise<ListedObject[]> {
  const listed: ListedObject[] = [];
  for await (const key of keysBehind(root, '', after)) {
    const file = await unlessAbsent(stat(join(root, key)));
    if (file !== undefined) listed.push({ key, sizeBytes: file.size, modifiedAt: file.mtime });
    if (listed.length === max) break;
  }
  return listed;
}

async function* keysBehind(root: string, folder: string, after: string): AsyncGenerator<string> {
  const entries = (await unlessAbsent(readdir(join(root, folder), { withFileTypes: true }))) ?? [];
  // With the slash, the order of the folders is the order of the paths in them.
  const paths = entries.map((entry) => ({ entry, path: folder + pathOf(entry) }));
  for (const { entry, path } of paths.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    if (!entry.isDirectory()) {
      if (path > after) yield path;
    } else if (path > after || after.startsWith(path)) yield* keysBehind(root, path, after);
  }
}

function pathOf(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}
