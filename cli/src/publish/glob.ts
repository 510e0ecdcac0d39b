import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

/** A file that a pattern matches. */
export interface MatchedFile {
  readonly path: string;
  /** Its path below the part of the pattern that has no wildcards, with slashes; without wildcards the last part of its path. */
  readonly name: string;
}

/** How many entries of folders one pattern may look at. */
const maxEntries = 100_000;

/**
 * The files that a pattern matches, by name. `*` and `?` match within one part of a path, `**` any number of folders; names that begin with a
 * dot must be named with it. Symbolic links to folders are not entered. Rejected with a RangeError when the folders hold too much.
 */
export async function findFiles(folder: string, pattern: string): Promise<MatchedFile[]> {
  const parts = pattern.split('/');
  const fixed = parts.findIndex((part) => /[*?]/.test(part));
  const path = resolve(
    folder,
    fixed < 0 ? pattern : parts.slice(0, fixed).join('/') || (fixed > 0 ? '/' : '.'),
  );
  if (fixed < 0) return (await isFile(path)) ? [{ path, name: basename(path) }] : [];
  const walk: Walk = { found: new Map(), seen: 0 };
  await search(walk, path, '', parts.slice(fixed));
  return [...walk.found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

interface Walk {
  readonly found: Map<string, MatchedFile>;
  seen: number;
}

async function search(walk: Walk, folder: string, prefix: string, parts: readonly string[]): Promise<void> {
  const [part = '', ...rest] = parts;
  if (part === '**' && rest.length > 0) await search(walk, folder, prefix, rest);
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    walk.seen += 1;
    if (walk.seen > maxEntries) throw new RangeError(`it looks at more than ${maxEntries} files and folders`);
    const path = join(folder, entry.name);
    const name = `${prefix}${entry.name}`;
    if (entry.name.startsWith('.') && !part.startsWith('.')) continue;
    const isDeep = part === '**';
    if (!isDeep && !matches(entry.name.normalize(), part.normalize())) continue;
    if (entry.isDirectory()) {
      if (isDeep || rest.length > 0) await search(walk, path, `${name}/`, isDeep ? parts : rest);
    } else if (rest.length === 0 && (await isFile(path))) walk.found.set(name, { path, name });
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/** Whether a name matches a pattern of one part; takes at most the product of their lengths. */
export function matches(name: string, pattern: string): boolean {
  let at = 0;
  let from = 0;
  /** The last asterisk, and how much of the name it has taken. */
  let star = -1;
  let taken = 0;
  while (at < name.length) {
    if (pattern[from] === '*') {
      star = from;
      taken = at;
      from += 1;
    } else if (pattern[from] === '?' || pattern[from] === name[at]) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      from = star + 1;
      taken += 1;
      at = taken;
    } else return false;
  }
  while (pattern[from] === '*') from += 1;
  return from === pattern.length;
}
