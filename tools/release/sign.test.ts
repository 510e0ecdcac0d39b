import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPages, scriptOf } from '../documents/markdown.ts';
import { repositoryRoot } from '../source-files.ts';
import { minisign, mustBeSecretKey, problemsOfSums, signSums, writeSums } from './sign.ts';

let folder: string;
let keys: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corral-sums-'));
  keys = mkdtempSync(join(tmpdir(), 'corral-keys-'));
  writeFileSync(join(folder, 'corral-hub-1.2.3.tgz'), 'the hub');
  writeFileSync(join(folder, 'corral-hub_1.2.3_amd64.deb'), 'its package');
  makeKey('corral');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  rmSync(keys, { recursive: true });
});

const key = (name: string): string => join(keys, name);

function makeKey(name: string): void {
  const args = ['-G', '-W', '-p', key(`${name}.pub`), '-s', key(`${name}.key`)];
  expect(spawnSync(minisign(), args).status).toBe(0);
}

function flipByte(name: string): void {
  const bytes = readFileSync(join(folder, name));
  bytes[3]! ^= 1;
  writeFileSync(join(folder, name), bytes);
}

/** Runs what docs/install.md tells who has downloaded a release. */
function checkAsDocumented(): number | null {
  const page = readPages().find(({ name }) => name === 'docs/install.md');
  const block = page?.blocks.find(({ text }) => text.startsWith('minisign'));
  copyFileSync(key('corral.pub'), join(folder, 'corral.pub'));
  const { status } = spawnSync('bash', ['-euc', scriptOf(block!)], { cwd: folder });
  rmSync(join(folder, 'corral.pub'));
  return status;
}

const problems = (): string[] => problemsOfSums(folder, '1.2.3', key('corral.pub'));

test('a signed release is verified as the documents say, and one changed byte is found', () => {
  writeSums(folder);
  signSums(folder, key('corral.key'), '1.2.3');
  expect(problems()).toEqual([]);
  expect(checkAsDocumented()).toBe(0);

  flipByte('corral-hub-1.2.3.tgz');
  expect(problems()).toEqual(['corral-hub-1.2.3.tgz has another digest than in SHA256SUMS.']);
  expect(checkAsDocumented()).not.toBe(0);

  // Whoever changes a file can also change its digest, but not the signature.
  writeSums(folder);
  expect(problems()).toEqual([`SHA256SUMS is not signed by the key in ${key('corral.pub')}.`]);
  expect(checkAsDocumented()).not.toBe(0);
  expect(problemsOfSums(folder, '1.2.3')).toEqual([]);
});

test('the signature of another key or release, a missing file and one that is not listed are found', () => {
  writeSums(folder);
  signSums(folder, key('corral.key'), '1.2.3');
  makeKey('other');
  expect(problemsOfSums(folder, '1.2.3', key('other.pub'))).toHaveLength(1);
  expect(problemsOfSums(folder, '1.2.4', key('corral.pub'))).toEqual([
    'The signature is one of Corral 1.2.3.',
  ]);
  rmSync(join(folder, 'corral-hub-1.2.3.tgz'));
  for (const name of ['install.sh', 'SHA256SUMS-corral-hub_1.2.3_amd64.deb', 'SHA256SUMS.minisig.sh'])
    writeFileSync(join(folder, name), 'echo');
  expect(problems()).toEqual([
    'SHA256SUMS-corral-hub_1.2.3_amd64.deb is not in SHA256SUMS.',
    'SHA256SUMS.minisig.sh is not in SHA256SUMS.',
    'install.sh is not in SHA256SUMS.',
    'corral-hub-1.2.3.tgz is missing.',
  ]);
});

test('a key that cannot sign is refused before anything is written', () => {
  expect(() => mustBeSecretKey(key('corral.key'))).not.toThrow();
  expect(() => mustBeSecretKey(key('corral.pub'))).toThrow('is no secret key of minisign.');
  const into = join(folder, 'into');
  const args = ['tools/release/release.ts', 'build', '--key', key('missing.key'), '--into', into];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: repositoryRoot, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: `There is no key ${key('missing.key')}.\n` });
  expect(readdirSync(folder)).not.toContain('into');
});
