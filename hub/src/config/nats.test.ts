import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceCertificate } from '../../test/device-certificate.ts';
import { loadConfig } from './config.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-nats-config-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const load = (env: Record<string, string>) =>
  loadConfig({ argv: [], env, cwd: folder, hostname: 'barn', isTerminal: false }).nats;

test('without a URL there is no NATS', () => {
  expect(load({})).toBeUndefined();
});

test.each([
  ['nats://bus.example', { servers: ['bus.example:4222'], isEncrypted: false }],
  [
    'tls://hub:p%40ss@a:4223, tls://b',
    { servers: ['a:4223', 'b:4222'], isEncrypted: true, user: 'hub', password: 'p@ss' },
  ],
  ['nats://secret@[::1]:1', { servers: ['[::1]:1'], isEncrypted: false, token: 'secret' }],
])('%s', (url, expected) => {
  expect(load({ CORRAL_NATS_URL: url })).toEqual(expected);
});

test('credentials and authorities are read from files', async () => {
  const { certificatePem: pem } = await deviceCertificate();
  await writeFile(join(folder, 'hub.creds'), 'credentials');
  await writeFile(join(folder, 'ca.pem'), pem);
  const files = { CORRAL_NATS_CREDENTIALS_FILE: 'hub.creds', CORRAL_NATS_CA_FILE: 'ca.pem' };
  expect(load({ CORRAL_NATS_URL: 'nats://bus', ...files })).toMatchObject({
    credentials: 'credentials',
    authorities: pem,
  });
});

test.each([
  [{ CORRAL_NATS_URL: 'http://bus' }, /^CORRAL_NATS_URL must be a URL such as nats:/],
  [{ CORRAL_NATS_URL: 'nats://bus/path' }, /^CORRAL_NATS_URL must be a URL/],
  [{ CORRAL_NATS_URL: ',' }, /^CORRAL_NATS_URL must be a URL/],
  [
    { CORRAL_NATS_CREDENTIALS_FILE: 'x' },
    /^CORRAL_NATS_URL is missing: CORRAL_NATS_CREDENTIALS_FILE is set without it\.$/,
  ],
  [{ CORRAL_NATS_CA_FILE: 'x' }, /^CORRAL_NATS_URL is missing: CORRAL_NATS_CA_FILE is set without it\.$/],
  [
    { CORRAL_NATS_URL: 'nats://bus', CORRAL_NATS_CREDENTIALS_FILE: 'none' },
    /^CORRAL_NATS_CREDENTIALS_FILE: the file none does not exist\.$/,
  ],
])('%o is refused with one sentence', (env, sentence) => {
  expect(() => load(env as Record<string, string>)).toThrow(sentence);
});
