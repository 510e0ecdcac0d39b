import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedObject } from '../asset-storage.ts';
import { unlessAbsent } from './file-faults.ts';

/** How long the position behind a page is kept: long enough to handle what the page lists. */
const keptMs = 60_000;

/** Resolves with a page of files whose paths are behind `after`, in the order of their paths. */
export type FileLister = (after: string) => Promise<ListedObject[]>;

type ReadFolder = (path: string) => Promise<Dirent[]>;

interface Position {
  /** The last path before it. */
  readonly after: string;
  readonly keys: AsyncGenerator<string, void>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Lists the files below a folder in pages of at most `max`. The next page goes on where the one before ended, without reading its folders again; files that were added
 * to them meanwhile are not in it.
 */
export function fileLister(root: string, max: number, readFolder: ReadFolder = readEntries): FileLister {
  let kept: Position | undefined;
  const takeKeys = (after: string): Position['keys'] => {
    if (kept?.after !== after) return keysBehind(root, '', after, readFolder);
    const { keys, timer } = kept;
    clearTimeout(timer);
    kept = undefined;
    return keys;
  };
  const keep = (after: string, keys: Position['keys']): void => {
    clearTimeout(kept?.timer);
    const timer = setTimeout(() => (kept = undefined), keptMs).unref();
    kept = { after, keys, timer };
  };
  return async (after) => {
    const keys = takeKeys(after);
    const listed: ListedObject[] = [];
    while (listed.length < max) {
      const { done, value: key } = await keys.next();
      if (done === true) break;
      const file = await unlessAbsent(stat(join(root, key)));
      if (file !== undefined) listed.push({ key, sizeBytes: file.size, modifiedAt: file.mtime });
    }
    const last = listed.at(-1);
    if (last !== undefined) keep(last.key, keys);
    return listed;
  };
}

const readEntries: ReadFolder = (path) => readdir(path, { withFileTypes: true });

async function* keysBehind(
  root: string,
  folder: string,
  after: string,
  readFolder: ReadFolder,
): AsyncGenerator<string, void> {
  const entries = (await unlessAbsent(readFolder(join(root, folder)))) ?? [];
  // With the slash, the order of the folders is the order of the paths in them.
  const paths = entries.map((entry) => ({ entry, path: folder + pathOf(entry) }));
  for (const { entry, path } of paths.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    if (!entry.isDirectory()) {
      if (path > after) yield path;
    } else if (path > after || after.startsWith(path)) yield* keysBehind(root, path, after, readFolder);
  }
}

function pathOf(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}
