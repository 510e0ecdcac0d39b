import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findAdvisories, partsOf } from './advisories.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'corral-advisories-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const parts = [
  { ecosystem: 'npm', name: 'ws', version: '8.23.0', isDelivered: true },
  { ecosystem: 'npm', name: 'semver', version: '6.3.2', isDelivered: false },
  { ecosystem: 'Bitnami', name: 'postgresql', version: '18.6.0', isDelivered: true },
];

function found(name: string, affected: object, rest: object = {}, ecosystem = 'npm'): string[] {
  const advisory = {
    id: 'GHSA-1',
    summary: 'It fails.',
    affected: [{ package: { ecosystem, name }, ...affected }],
  };
  const path = join(folder, 'advisory.json');
  writeFileSync(path, JSON.stringify({ ...advisory, ...rest }));
  return findAdvisories(path, parts).found;
}

const range = (...events: object[]): object => ({ ranges: [{ type: 'SEMVER', events }] });

test.each([
  [range({ introduced: '0' }), true],
  [range({ introduced: '0' }, { fixed: '8.23.0' }), false],
  [range({ introduced: '8.0.0' }, { fixed: '8.23.1' }), true],
  [range({ fixed: '7.5.10' }, { introduced: '7.0.0' }, { introduced: '8.0.0' }, { fixed: '8.23.1' }), true],
  [range({ introduced: '7.0.0' }, { fixed: '7.5.10' }, { introduced: '8.24.0' }), false],
  [range({ introduced: '8.23.0-beta.1' }, { fixed: '8.23.0-rc.1' }), false],
  [range({ introduced: '0' }, { last_affected: '8.23.0' }), true],
  [range({ introduced: '0' }, { last_affected: '8.22.9' }), false],
  [{ versions: ['8.22.0', '8.23.0'] }, true],
  [{ ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] }, false],
])('an advisory with %j is for ws 8.23.0: %s', (affected, isFor) => {
  expect(found('ws', affected)).toEqual(isFor ? ['ws 8.23.0 (delivered): GHSA-1, It fails.'] : []);
});

test('what is only used in tests is marked, withdrawn advisories and other packages are not shown, and Bitnami names PostgreSQL', () => {
  const all = range({ introduced: '0' });
  expect(found('semver', all)).toEqual(['semver 6.3.2 (only in tests and builds): GHSA-1, It fails.']);
  expect(found('ws', all, { withdrawn: '2026-01-01T00:00:00Z' })).toEqual([]);
  expect(found('left-pad', all)).toEqual([]);
  const fixed = range({ introduced: '18.0.0' }, { fixed: '18.7.0' });
  expect(found('postgresql', fixed, {}, 'Bitnami')).toEqual([
    'postgresql 18.6.0 (delivered): GHSA-1, It fails.',
  ]);
});

test('a folder without advisories is refused, and the parts are those of the lock file, Node.js and PostgreSQL', () => {
  expect(() => findAdvisories(folder, parts)).toThrow(`There are no advisories in ${folder}.`);
  const own = partsOf();
  expect(own.find(({ name }) => name === 'fastify')).toMatchObject({ ecosystem: 'npm', isDelivered: true });
  expect(own.find(({ name }) => name === 'vitest')).toMatchObject({ isDelivered: false });
  expect(own.filter(({ ecosystem }) => ecosystem === 'Bitnami').map(({ name }) => name)).toEqual([
    'node',
    'postgresql',
  ]);
});
