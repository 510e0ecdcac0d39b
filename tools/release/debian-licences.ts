import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of Debian in an image. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  /** Its licences as Debian names them. */
  readonly licence: string;
}

const gcc = 'GPL-3+ with GCC-exception-3.1';

/** The licences of packages whose texts are not written for programs. */
const writtenForPeople: Readonly<Record<string, string>> = {
  'base-files': 'GPL-2+',
  'gcc-12-base': gcc,
  libc6: 'LGPL-2.1+',
  'libgcc-s1': gcc,
  libselinux1: 'public domain',
  'libstdc++6': gcc,
};

/** The licences of a package of Debian that is unpacked below a folder. Throws an Error where nobody knows them. */
export function debianLicence(root: string, name: string): string {
  const path = join(root, 'usr/share/doc', name, 'copyright');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const found = new Set([...text.matchAll(/^License: *(\S.*)$/gm)].map(([, licence = '']) => licence));
  const known = writtenForPeople[name] ?? [...found].toSorted().join(' and ');
  if (known === '')
    throw new Error(`The licence of Debian's ${name} is not known: read ${path}, and add it.`);
  return known;
}
