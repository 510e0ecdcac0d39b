import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLockFile } from '../../lock-file.ts';
import { debianLicence } from '../debian-licences.ts';
import { platforms, postgresVersion } from '../platforms.ts';
import { runTool } from '../run-tool.ts';
import { softwareBill, type SoftwareBill } from '../sbom.ts';
import { problemsOfBill } from './problems-of-bill.ts';
import { problemsOfContents } from './problems-of-contents.ts';
import { packageTool, problemsOfVersions } from './problems-of-versions.ts';

const [platform] = platforms;
const locked = (name: string): string => readLockFile()[`node_modules/${name}`]?.version ?? '';
const list = (...libraries: string[]): string =>
  `This program contains Corral and the libraries named here, under these licences.\n\n${libraries.join('\n')}\n\nThe text.\n`;
const postgres = 'node_modules/corral-postgres-linux-x64/native/lib';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corral-installed-'));
  for (const path of ['console/dist/licences.txt', 'agent/dist/corral-agent.mjs', 'cli/dist/corral.mjs'])
    write(path, list());
  write('hub/licences.txt', list(`fastify ${locked('fastify')} (MIT)`, `pino ${locked('pino')} (MIT)`));
  write('hub/package.json', '{"name":"corral-hub","version":"1.2.3"}');
  const argon2 = { name: '@node-rs/argon2', version: locked('@node-rs/argon2'), license: 'MIT' };
  write('node_modules/@node-rs/argon2/package.json', JSON.stringify(argon2));
  for (const name of [
    'libicudata.so.60',
    'libssl.so.1.1',
    'liblzma.so.5',
    'libxml2.so.2',
    'libz.so.1',
    'libpq.so.5',
  ])
    write(`${postgres}/${name}`, '');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const billNow = (): SoftwareBill =>
  softwareBill({ folder, platform: platform!, version: '1.2.3', epochSecs: 1_800_000_000 });

test('the bill of a folder lists what is in it, by the schema of CycloneDX', () => {
  const bill = billNow();
  expect(problemsOfBill(bill, folder)).toEqual([]);
  expect(problemsOfBill({ ...bill, specVersion: 1.6 } as SoftwareBill, folder)[0]).toMatch(
    /^It is no CycloneDX 1\.6: /,
  );
});

test('what a bill lacks and what is not there are found', () => {
  const bill = billNow();
  write(`${postgres}/libreadline.so.8`, '');
  write('node_modules/left-pad/package.json', '{"name":"left-pad","version":"1.3.0"}');
  write('hub/licences.txt', list(`fastify ${locked('fastify')} (MIT)`));
  expect(problemsOfBill(bill, folder)).toEqual([
    'It lacks left-pad 1.3.0.',
    'It lacks libreadline.so.8 .',
    `It lists pino ${locked('pino')}, which is not there.`,
  ]);
});

test('a library of another version than in package-lock.json, and one without a licence, are found', () => {
  write('hub/licences.txt', list('fastify 4.0.0 (MIT)', `pino ${locked('pino')} (see below)`));
  expect(problemsOfBill(billNow(), folder)).toEqual([
    'It does not know the licence of pino.',
    'It lists fastify 4.0.0, which package-lock.json does not have for these programs.',
  ]);
});

test('paths of who made it, maps, settings and keys are found', () => {
  expect(problemsOfContents(folder, ['/home/ada/corral'])).toEqual([]);
  write('hub/src/main.js', 'at /home/ada/corral/hub/src/main.ts');
  write('hub/src/main.js.map', '{}');
  write('.env', 'CORRAL_SECRET_KEY=a');
  write('docs/example.txt', `-----BEGIN PRIVATE KEY-----\n${'MIGHAgEAMBMGByqGSM49AgEG'}`);
  expect(problemsOfContents(folder, ['/home/ada/corral']).toSorted()).toEqual([
    '.env should not be delivered.',
    'docs/example.txt has a private key.',
    'hub/src/main.js has the path /home/ada/corral of where it was made.',
    'hub/src/main.js.map should not be delivered.',
  ]);
});

test('a file of another version is found by its name and by what it says', () => {
  const bill = { ...billNow(), metadata: { component: { version: '1.2.2' } } };
  write('corral-hub-1.2.3-linux-x64.cdx.json', JSON.stringify(bill));
  write(`corral-postgres-linux-x64-${postgresVersion}.oci.tar`, '');
  expect(
    problemsOfVersions(
      folder,
      [
        'corral-hub-1.2.3-linux-x64.cdx.json',
        `corral-postgres-linux-x64-${postgresVersion}.oci.tar`,
        'corral-1.2.2.tgz',
      ],
      '1.2.3',
    ),
  ).toEqual([
    'corral-hub-1.2.3-linux-x64.cdx.json says the version 1.2.2, not 1.2.3.',
    'The name corral-1.2.2.tgz does not have the version 1.2.3.',
  ]);
});

/** Makes a package by its tool, of files that say this version. */
const makers: Readonly<Record<string, (name: string, version: string) => void>> = {
  'corral-hub_1.2.3_amd64.deb': (name, version) => {
    write(
      'deb/DEBIAN/control',
      `Package: corral-hub\nVersion: ${version}\nArchitecture: amd64\nMaintainer: Ada <ada@example.org>\nDescription: A hub.\n`,
    );
    runTool(packageTool('dpkg-deb'), ['--build', '--root-owner-group', 'deb', name], folder);
  },
  'corral-hub-1.2.3-1.x86_64.rpm': (name, version) => {
    const head = `Name: corral-hub\nVersion: ${version}\nRelease: 1\nSummary: A hub\nLicense: Apache-2.0\n`;
    write('hub.spec', `${head}\n%description\nA hub.\n\n%files\n`);
    const places = [`_topdir ${folder}`, `_rpmdir ${folder}`, `_rpmfilename ${name}`];
    runTool(
      packageTool('rpmbuild'),
      ['-bb', '--target', 'x86_64', ...places.flatMap((place) => ['-D', place]), 'hub.spec'],
      folder,
    );
  },
  'corral-hub-1.2.3.tgz': (name, version) => {
    write('package/package.json', JSON.stringify({ version }));
    runTool('tar', ['czf', name, 'package'], folder);
  },
  'corral-hub-1.2.3-linux-x64.tar.gz': (name, version) => {
    write('corral-hub-1.2.3-linux-x64/hub/package.json', JSON.stringify({ version }));
    runTool('tar', ['czf', name, 'corral-hub-1.2.3-linux-x64'], folder);
  },
  'corral-docs-1.2.3.tar.gz': (name, version) => {
    write(`${version}/index.html`, '');
    runTool('tar', ['czf', name, version], folder);
  },
  'newest.json': (name, version) => write(name, JSON.stringify({ version, notes: [] })),
};

test.each(Object.entries(makers))('what %s says of its version is read', (name, make) => {
  make(name, '1.2.3');
  expect(problemsOfVersions(folder, [name], '1.2.3')).toEqual([]);
  make(name, '1.2.2');
  expect(problemsOfVersions(folder, [name], '1.2.3')).toEqual([`${name} says the version 1.2.2, not 1.2.3.`]);
});

test('the licence of a package of Debian is that of its text, or is not known', () => {
  write(
    'usr/share/doc/dash/copyright',
    'Format: 1.0\n\nFiles: *\nLicense: GPL-2+\n\nFiles: a\nLicense: BSD-3-clause\n text\n',
  );
  expect(debianLicence(folder, 'dash')).toBe('BSD-3-clause and GPL-2+');
  expect(() => debianLicence(folder, 'zsh')).toThrow("The licence of Debian's zsh is not known");
});
