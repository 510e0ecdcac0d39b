import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownCertificateFiles } from '../config.ts';
import { pairOf } from './certificate.ts';
import { CertificateRotation } from './CertificateRotation.ts';
import { type DeviceIdentity, loadIdentity } from './identity.ts';
import { makeCertificate } from './make-certificate.ts';

let stateDir: string;
let identity: DeviceIdentity;
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'corral-agent-'));
  identity = await load();
});
afterEach(() => rm(stateDir, { recursive: true }));

const load = () => loadIdentity({ fingerprintScript: undefined, ...ownCertificateFiles(stateDir), stateDir });
const path = (name: string) => join(stateDir, name);
const own = () => identity.ownCertificates!;
const fingerprint = async () => (await load()).certificate.fingerprint;

test('the next certificate takes the place of the one in use, which is kept until it is forgotten', async () => {
  const old = identity.certificate;
  const next = await makeCertificate();
  await own().keepNext(next);
  expect(await fingerprint()).toBe(old.fingerprint);
  expect((await stat(path('key.next.pem'))).mode & 0o777).toBe(0o600);
  await own().useNext(old);
  expect(await fingerprint()).toBe(pairOf(next).fingerprint);
  expect(await own().previous()).toEqual({ certificatePem: old.certificatePem, keyPem: old.keyPem });
  await own().putBack();
  expect(await fingerprint()).toBe(old.fingerprint);
  expect((await readdir(stateDir)).toSorted()).toEqual(['certificate.pem', 'fingerprint', 'key.pem']);
});

test('whenever the swap is interrupted, the device starts with the old certificate or the new one', async () => {
  const old = identity.certificate.fingerprint;
  await own().keepNext(await makeCertificate());
  const next = pairOf((await own().next())!).fingerprint;
  const steps: [string, () => Promise<void>][] = [
    [old, async () => undefined],
    [old, () => cp(path('key.pem'), path('key.previous.pem'))],
    [old, () => cp(path('certificate.pem'), path('certificate.previous.pem'))],
    [next, () => rename(path('certificate.next.pem'), path('certificate.pem'))],
  ];
  for (const [expected, step] of steps) {
    await step();
    const copy = await mkdtemp(join(tmpdir(), 'corral-agent-'));
    await cp(stateDir, copy, { recursive: true });
    const loaded = await loadIdentity({
      fingerprintScript: undefined,
      ...ownCertificateFiles(copy),
      stateDir: copy,
    });
    expect(loaded.certificate.fingerprint).toBe(expected);
    expect(loaded.fingerprint).toBe(identity.fingerprint);
    await rm(copy, { recursive: true });
  }
  const before = await readFile(path('key.next.pem'), 'utf8');
  expect(await fingerprint()).toBe(next);
  expect(await readFile(path('key.pem'), 'utf8')).toBe(before);
});

test('a next certificate of which only a part was written is none', async () => {
  await own().keepNext(await makeCertificate());
  await rm(path('certificate.next.pem'));
  expect(await own().next()).toBeUndefined();
  await cp(path('certificate.pem'), path('certificate.next.pem'));
  expect(await own().next()).toBeUndefined();
});

test('a certificate that does not connect within ten minutes gives way to the old one, also after a restart', async () => {
  let nowMs = 0;
  const lines: string[] = [];
  const log = {
    info: (line: string) => void lines.push(line),
    warn: (line: string) => void lines.push(line),
  };
  const old = identity.certificate;
  const next = await makeCertificate();
  await own().keepNext(next);
  await own().useNext(old);
  const options = { isBusy: () => false, log, nowMs: () => nowMs };
  const rotation = await CertificateRotation.of(await load(), options);
  nowMs = 599_999;
  expect((await rotation.identity()).certificate.fingerprint).toBe(pairOf(next).fingerprint);
  nowMs = 600_000;
  expect((await rotation.identity()).certificate.fingerprint).toBe(old.fingerprint);
  expect(rotation.fingerprint).toBe(old.fingerprint);
  expect(await fingerprint()).toBe(old.fingerprint);
  expect(lines).toEqual([expect.stringContaining('the old one is used again')]);
  nowMs = 1e9;
  expect((await rotation.identity()).certificate.fingerprint).toBe(old.fingerprint);
});
