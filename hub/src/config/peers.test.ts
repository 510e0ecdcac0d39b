import type { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import type { Settings } from './keys.ts';
import { peersOf, peersWarning } from './peers.ts';

const address = (text: string, internal: boolean) => ({ address: text, internal }) as never;
const interfaces = (): ReturnType<typeof networkInterfaces> => ({
  lo: [address('127.0.0.1', true), address('::1', true)],
  eth0: [address('fd00::7', false), address('10.0.0.7', false)],
});
const cluster = {
  natsUrl: ['nats://nats.internal'],
  databaseUrl: 'postgres://db.internal/corral',
  secretKey: [Buffer.alloc(32)],
} as unknown as Settings;

test.each<[string, Partial<Settings>, string, object | undefined]>([
  ['on one address is reached there', {}, '10.0.0.9', { host: '10.0.0.9', port: 0 }],
  ['on all addresses is reached at the first of the machine', {}, '0.0.0.0', { host: '10.0.0.7', port: 0 }],
  ['on loopback is reached by nodes of this machine', {}, '127.0.0.1', { host: '127.0.0.1', port: 0 }],
  [
    'is reached where the settings say',
    { peerHost: '10.1.0.1', peerPort: 7000 },
    '::',
    { host: '10.1.0.1', port: 7000 },
  ],
  ['without NATS is the only node', { natsUrl: undefined }, '0.0.0.0', undefined],
  ['with a database of its own is the only node', { databaseUrl: undefined }, '0.0.0.0', undefined],
])('a hub %s', (_what, more, host, expected) => {
  expect(peersOf({ ...cluster, ...more } as Settings, host, interfaces)).toEqual(expected);
});

test('a node whose database is on another machine, but which the others would have to reach on its own, is warned', () => {
  const at = (host: string, databaseUrl: string) => peersWarning({ peers: { host, port: 0 }, databaseUrl });
  expect(at('127.0.0.1', 'postgres://corral@db.internal/corral')).toMatch(/^CORRAL_PEER_HOST: /);
  expect(at('10.0.0.7', 'postgres://corral@db.internal/corral')).toBeUndefined();
  expect(at('127.0.0.1', 'postgres://corral@localhost/corral')).toBeUndefined();
  expect(at('127.0.0.1', 'postgres://corral@localhost/corral?host=/run/postgresql')).toBeUndefined();
});

test('a node without the key of the cluster, or without an address for the others, says what to set', () => {
  expect(() => peersOf({ ...cluster, secretKey: undefined } as Settings, '0.0.0.0', interfaces)).toThrow(
    /^CORRAL_SECRET_KEY is missing: /,
  );
  expect(() => peersOf(cluster, '0.0.0.0', () => ({}))).toThrow(/^CORRAL_PEER_HOST is missing: /);
});
