import { lstat, mkdir, mkdtemp, realpath, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileError, TransferError } from '../TransferError.ts';

/** Names of devices, with any extension, what the file system would cut, and what separates parts or names a stream or a drive. */
const refusedByWindows =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])[ ]*(?:\.|$)|[. ]$|[<>:"|?*\\]/i;

/** The path below a folder that the filename of a version names. Throws a TransferError when it leads elsewhere, or could on this system. */
export function relativePath(filename: string, platform: NodeJS.Platform = process.platform): string {
  const isUnsafe =
    /^[a-z]:|\p{Cc}/iu.test(filename) ||
    filename.split(/[\\/]/).some((part) => ['', '.', '..'].includes(part)) ||
    (platform === 'win32' && filename.split('/').some((part) => refusedByWindows.test(part)));
  if (!isUnsafe) return filename;
  throw local(
    `${JSON.stringify(filename)} is no path below a folder here: name this file alone, and a path for it.`,
  );
}

/** Where the files go below a folder; makes it and the folders between. Rejected with a TransferError when two would take one place, or when a link leads out. */
export async function placesBelow(folder: string, filenames: readonly string[]): Promise<string[]> {
  const paths = filenames.map((filename) => relativePath(filename));
  await makeFolder(folder);
  await mustDiffer(folder, paths);
  for (const parent of new Set(paths.map((path) => dirname(path)))) await makeFolders(folder, parent);
  return paths.map((path) => resolve(folder, path));
}

/** Where a file is below a folder. Rejected with a TransferError when a link leads out of it. */
export async function placeBelow(folder: string, filename: string): Promise<string> {
  const path = join(folder, relativePath(filename));
  await mustStay(folder, path);
  return path;
}

async function makeFolders(folder: string, path: string): Promise<void> {
  let at = folder;
  for (const part of path.split('/')) {
    at = join(at, part);
    if (part !== '.') await makeFolder(at);
    await mustStay(folder, at);
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(path, 'written', error);
  });
}

async function mustStay(folder: string, path: string): Promise<void> {
  const [root, real] = await Promise.all([folder, path].map((one) => realpath(one).catch(() => undefined)));
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
  // What is not there leads nowhere; its reader or writer says so.
  if (root === undefined || (real === undefined && !isLink)) return;
  const top = root.endsWith(sep) ? root : `${root}${sep}`;
  if (real !== undefined && `${real}${sep}`.startsWith(top)) return;
  throw local(`${JSON.stringify(path)} is a link that leads out of ${JSON.stringify(folder)}: remove it.`);
}

/** No two paths may be one file, and none a folder of another, as this file system sees it. */
async function mustDiffer(folder: string, paths: readonly string[]): Promise<void> {
  const exact = clashOf(paths, (path) => path);
  const clash = exact ?? clashOf(paths, folded);
  if (clash === undefined || (exact === undefined && !(await isFolding(folder)))) return;
  const [one, other] = clash.map((path) => JSON.stringify(path));
  throw local(`${one} and ${other} would be at one place: name each alone, and a path for it.`);
}

function clashOf(
  paths: readonly string[],
  keyOf: (path: string) => string,
): readonly [string, string] | undefined {
  const byKey = new Map<string, string>();
  for (const path of paths) {
    const other = byKey.get(keyOf(path));
    if (other !== undefined) return [other, path];
    byKey.set(keyOf(path), path);
  }
  for (const path of paths)
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
      const file = byKey.get(keyOf(parent));
      if (file !== undefined) return [file, path];
    }
  return undefined;
}

/** Equal for names that some file system takes for one. */
const folded = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase();

/** Whether the file system takes names that differ by case for one. */
async function isFolding(folder: string): Promise<boolean> {
  const probe = await mkdtemp(join(folder, '.corral-case-')).catch((error: unknown) => {
    throw fileError(folder, 'written', error);
  });
  try {
    return await lstat(join(folder, basename(probe).toUpperCase())).then(
      () => true,
      () => false,
    );
  } finally {
    await rmdir(probe);
  }
}

const local = (sentence: string): TransferError => new TransferError('Local', sentence);
