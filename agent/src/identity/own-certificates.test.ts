import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rotationProperty } from '@corral/contract';
import { RpcError } from '@corral/multiplex';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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

/** A connection to a hub that has opened a window, and what was announced over it. */
function linkWith(answer: (count: number) => void) {
  const announced: string[] = [];
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const link = {
    deviceId: 'd_1',
    closed,
    end: undefined as unknown,
    close() {
      link.end = {};
      close();
    },
    executor: {
      async invoke(action: string, { name, value }: { name: string; value?: { pem: string } }) {
        if (action === 'devices_GetCertificateRenewal')
          throw new RpcError('Invalid', 'There is no such action.');
        if (name === rotationProperty) return { result: 'Found', value: { nonce: 'nonce' } };
        announced.push(value!.pem);
        answer(announced.length);
        return { result: 'Set' };
      },
    },
  };
  return { link: link as unknown as Parameters<CertificateRotation['serve']>[0], announced };
}

const silent = { info: () => undefined, warn: () => undefined };

test('where an issued certificate did not connect, another one is asked for after an hour', async () => {
  let nowMs = 0;
  let asked = 0;
  await own().keepNext(await makeCertificate());
  await own().useNext(identity.certificate);
  const options = { isBusy: () => false, log: silent, nowMs: () => nowMs };
  const rotation = await CertificateRotation.of(await load(), options);
  nowMs = 600_000;
  await rotation.identity();
  const connect = async (): Promise<void> => {
    const looked = Promise.withResolvers<void>();
    const link = {
      closed: Promise.resolve(),
      executor: {
        async invoke(action: string) {
          if (action === 'devices_GetCertificateRenewal') asked += 1;
          else looked.resolve();
          return { isDue: false, result: 'NotFound' };
        },
      },
    };
    rotation.serve(link as unknown as Parameters<CertificateRotation['serve']>[0]);
    await looked.promise;
  };
  nowMs += 3_599_999;
  await connect();
  expect(asked).toBe(0);
  nowMs += 1;
  await connect();
  expect(asked).toBe(1);
});

test('a next certificate that the hub refuses, since it was announced in a window before, gives way to another', async () => {
  const refused = await makeCertificate();
  await own().keepNext(refused);
  const { link, announced } = linkWith((count) => {
    if (count === 1)
      throw new RpcError('Invalid', 'The device has or had this certificate already. Make a new one.');
  });
  const rotation = await CertificateRotation.of(identity, { isBusy: () => false, log: silent });
  rotation.serve(link);
  await link.closed;
  expect(announced).toHaveLength(2);
  expect(announced[0]).toBe(refused.certificatePem);
  expect(await fingerprint()).toBe(pairOf({ ...refused, certificatePem: announced[1]! }).fingerprint);
});

test('a look for a window that waits for the end of a command is the only one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    let isBusy = true;
    const { link, announced } = linkWith(() => undefined);
    const options = { isBusy: () => isBusy, log: silent };
    const rotation = await CertificateRotation.of(identity, options);
    rotation.serve(link);
    await vi.waitFor(() => expect(announced).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(1_800_000);
    isBusy = false;
    await link.closed;
    expect(announced).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
}, 20_000);
