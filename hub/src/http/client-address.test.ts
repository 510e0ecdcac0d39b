import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

const trusting = clientAddress({ trustedProxies: ['10.0.0.0/8', 'fd00::/8'], trustedProxyHeader: true });

test.each([
  ['the peer that is no proxy', '192.0.2.1', '1.1.1.1', '192.0.2.1'],
  ['what the proxy saw', '10.0.0.1', '192.0.2.1', '192.0.2.1'],
  [
    'what the outermost proxy saw, not what the client wrote',
    '10.0.0.1',
    '1.1.1.1, 192.0.2.1, 10.2.0.1',
    '192.0.2.1',
  ],
  ['the proxy, where it names nobody', '10.0.0.1', undefined, '10.0.0.1'],
  ['the last good one, before what is no address', '10.0.0.1', '192.0.2.1, unknown, 10.2.0.1', '10.2.0.1'],
  ['the first proxy, where all are proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['IPv6 proxies', 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ['IPv4 inside IPv6', '::ffff:10.0.0.1', '::ffff:192.0.2.1', '192.0.2.1'],
])('the client is %s', (_name, peer, header, client) => {
  expect(trusting(peer, header)).toBe(client);
});

test('without both settings the header is ignored', () => {
  const noHeader = clientAddress({ trustedProxies: ['10.0.0.0/8'], trustedProxyHeader: false });
  const noProxies = clientAddress({ trustedProxies: [], trustedProxyHeader: true });
  expect([noHeader('10.0.0.1', '1.1.1.1'), noProxies('10.0.0.1', '1.1.1.1')]).toEqual([
    '10.0.0.1',
    '10.0.0.1',
  ]);
});
