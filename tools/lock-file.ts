import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './source-files.ts';

/** A package in package-lock.json. */
export interface LockedPackage {
  readonly version: string;
  /** Its digest; links to packages of this repository have none. */
  readonly integrity?: string;
  /** Where it comes from, unless that is the registry. */
  readonly resolved?: string;
  readonly link?: boolean;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The packages of package-lock.json by their paths, such as `node_modules/zod`, with those of this repository, such as `hub`. */
export type LockFile = Readonly<Record<string, LockedPackage>>;

/** Reads package-lock.json. */
export function readLockFile(root = repositoryRoot): LockFile {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: LockFile };
  return lock.packages;
}

/** The name of the package at a path; undefined for a package of this repository. */
function nameAt(path: string): string | undefined {
  const [, name] = /^(?:.*\/)?node_modules\/(.+)$/.exec(path) ?? [];
  return name;
}

/** The packages of a lock file that come from elsewhere. */
export function foreignPackages(lock: LockFile): { name: string; path: string; locked: LockedPackage }[] {
  return Object.entries(lock).flatMap(([path, locked]) => {
    const name = nameAt(path);
    return name === undefined || locked.link === true ? [] : [{ name, path, locked }];
  });
}

/** The paths of all packages that a package of this repository needs to run, and of those that they need. */
export function neededBy(lock: LockFile, folders: readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = [...folders];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = lock[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const target = resolved(lock, path, name);
      if (target !== undefined) open.push(target);
    }
  }
  return found;
}

/** Where Node.js finds a package from a path, as a path of the lock file. */
function resolved(lock: LockFile, from: string, name: string): string | undefined {
  // `hub/node_modules/a/node_modules/b` looks there, in `hub/node_modules/a`, in `hub`, and at the root.
  const parts = from.split(/(?:^|\/)node_modules\//);
  const folders = parts.map((_, index) => parts.slice(0, parts.length - index).join('/node_modules/'));
  const paths = [...folders, ''].map((folder) => `${folder}/node_modules/${name}`.replace(/^\//, ''));
  const path = paths.find((each) => lock[each] !== undefined);
  return path !== undefined && lock[path]?.link === true ? lock[path].resolved : path;
}
