import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foreignPackages, neededBy, readLockFile } from './lock-file.ts';
import { repositoryRoot } from './source-files.ts';

/** Licences of what is delivered: they ask for a notice, which releases contain. */
const delivered = [
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
];
/** Licences of what only tests and builds use. */
const used = [...delivered, 'CC-BY-4.0', 'MPL-2.0'];
const programs = ['hub', 'console', 'cli', 'agent'];

const lock = readLockFile();
const packages = foreignPackages(lock);
const needed = neededBy(lock, programs);

interface Row {
  readonly name: string;
  readonly licence: string;
  readonly neededBy: string;
  readonly reason: string;
}

/** The rows of docs/dependencies.md, one for each name. */
function rows(): Row[] {
  const text = readFileSync(join(repositoryRoot, 'docs/dependencies.md'), 'utf8');
  return [...text.matchAll(/^\| (`.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)].flatMap(
    ([, names = '', licence = '', neededBy = '', reason = '']) =>
      [...names.matchAll(/`(.+?)`/g)].map(([, name = '']) => ({ name, licence, neededBy, reason })),
  );
}

/** The libraries that packages of this repository name, with the packages. */
function named(): Map<string, string[]> {
  const folders = ['contract', 'multiplex', 'expressions', 'client', ...programs];
  const all = folders.flatMap((folder) =>
    Object.keys(lock[folder]?.dependencies ?? {}).map((name) => ({ name, folder })),
  );
  const foreign = all.filter(({ name }) => !name.startsWith('@corral/'));
  return new Map(
    [...Map.groupBy(foreign, ({ name }) => name)].map(([name, by]) => [name, by.map(({ folder }) => folder)]),
  );
}

test('docs/dependencies.md gives a reason for each library that the programs need, and for no other', () => {
  const ofCheckout = Object.keys(lock['']?.optionalDependencies ?? {});
  expect(
    rows()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([...named().keys(), ...ofCheckout].toSorted());
  for (const { name, licence, neededBy: by, reason } of rows()) {
    const folders = named().get(name);
    if (folders !== undefined) expect(by, name).toBe(folders.join(', '));
    const path = [
      ...(folders ?? []).map((folder) => `${folder}/node_modules/${name}`),
      `node_modules/${name}`,
    ];
    expect(licence, name).toBe(path.map((each) => lock[each]).find((found) => found !== undefined)?.license);
    expect(reason, name).toMatch(/\.$/);
  }
});

test('every package has an allowed licence', () => {
  const wrong = packages.filter(
    ({ path, locked: { license = 'none' } }) => !(needed.has(path) ? delivered : used).includes(license),
  );
  expect(wrong.map(({ path, locked }) => `${path}: ${locked.license}`)).toEqual([]);
});

test('every package has a digest and comes from a registry, which is not named', () => {
  expect(packages.length).toBeGreaterThan(500);
  const wrong = packages.filter(
    ({ locked: { integrity, resolved } }) =>
      integrity?.startsWith('sha512-') !== true || resolved !== undefined,
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
