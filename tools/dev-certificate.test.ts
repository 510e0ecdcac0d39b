import { spawnSync } from 'node:child_process';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeDevelopmentCertificates } from './dev-authority.ts';

const now = new Date();

test('the leaf is valid for this machine, signed by the authority, and not an authority itself', async () => {
  const made = await makeDevelopmentCertificates(now);
  const authority = new X509Certificate(made.authority);
  const leaf = new X509Certificate(made.certificate);
  expect(leaf.verify(authority.publicKey)).toBe(true);
  expect(leaf.checkIssued(authority)).toBe(true);
  expect([authority.ca, leaf.ca]).toEqual([true, false]);
  expect(leaf.checkHost('localhost')).toBe('localhost');
  expect(leaf.checkHost('a.proxy.localhost')).toBe('*.proxy.localhost');
  expect([leaf.checkIP('127.0.0.1'), leaf.checkIP('::1'), leaf.checkIP('127.0.0.2')]).toEqual([
    '127.0.0.1',
    '::1',
    undefined,
  ]);
  expect(leaf.checkPrivateKey(createPrivateKey(made.key))).toBe(true);
});

test('a folder that cannot be created is reported in one sentence, without hanging', () => {
  const tool = fileURLToPath(new URL('./dev-certificate.ts', import.meta.url));
  const answer = spawnSync(process.execPath, [tool, '/proc/nowhere/tls'], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect(answer.status).toBe(1);
  expect(answer.stderr).toMatch(/^No certificate was made: .+\n$/);
});
