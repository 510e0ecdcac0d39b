import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findOrInstall } from '../../system-program.ts';
import { postgresVersion } from '../platforms.ts';
import { runTool } from '../run-tool.ts';
import type { SoftwareBill } from '../sbom.ts';

const debianPackages = { 'dpkg-deb': 'dpkg', rpm: 'rpm', rpmbuild: 'rpm' };

/** The path of a program that makes or reads packages; see `findOrInstall`. */
export function packageTool(name: keyof typeof debianPackages): string {
  return findOrInstall({
    names: [name],
    places: [],
    probe: ['--version'],
    variable: `CORRAL_${name.toUpperCase().replace('-', '_')}`,
    debianPackage: debianPackages[name],
    need: `The versions of packages are read and tried with ${name}`,
  });
}

/** How the version is read in files whose names end so. */
const readers: readonly (readonly [ending: string, read: (path: string) => string])[] = [
  ['.deb', (path) => runTool(packageTool('dpkg-deb'), ['--field', path, 'Version'], '/')],
  ['.rpm', (path) => runTool(packageTool('rpm'), ['-qp', '--nosignature', '--qf', '%{VERSION}', path], '/')],
  ['.tgz', (path) => versionIn(runTool('tar', ['xzOf', path, 'package/package.json'], '/'))],
  ['.tar.gz', versionOfArchive],
  ['newest.json', (path) => versionIn(readFileSync(path, 'utf8'))],
  [
    '.cdx.json',
    (path) => (JSON.parse(readFileSync(path, 'utf8')) as SoftwareBill).metadata.component.version,
  ],
];

/** The documents are in a folder with the name of the version. */
function versionOfArchive(path: string): string {
  const name = basename(path, '.tar.gz');
  return name.startsWith('corral-docs-')
    ? (runTool('tar', ['tzf', path], '/').split('/')[0] ?? '')
    : versionIn(runTool('tar', ['xzOf', path, `${name}/hub/package.json`], '/'));
}

const versionIn = (text: string): string => (JSON.parse(text) as { version: string }).version;

/** The files of a release that say another version, or none. */
export function problemsOfVersions(release: string, names: readonly string[], version: string): string[] {
  return names.flatMap((name) => {
    const expected = name.startsWith('corral-postgres-') ? postgresVersion : version;
    if (!name.includes(expected) && name !== 'newest.json')
      return [`The name ${name} does not have the version ${expected}.`];
    const [, read] = readers.find(([ending]) => name.endsWith(ending)) ?? [];
    const found = read?.(join(release, name)).trim() ?? expected;
    return found === expected ? [] : [`${name} says the version ${found}, not ${expected}.`];
  });
}

/** The programs of an unpacked release for this machine that say another version. */
export function problemsOfPrograms(folder: string, version: string): string[] {
  return ['corral-hub', 'corral', 'corral-agent'].flatMap((name) => {
    const found = runTool(join(folder, 'bin', name), ['--version'], '/').trim();
    return found.split(' ').at(-1) === version ? [] : [`${name} says the version ${found}, not ${version}.`];
  });
}
