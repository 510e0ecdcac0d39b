import { expect, test } from 'vitest';
import { clientAddress } from './pace-requests.ts';

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
  ['IPv4 inside IPv6, in hexadecimal', '::FFFF:0a00:0001', '::ffff:c000:201', '192.0.2.1'],
  ['an address with its port', '10.0.0.1', '192.0.2.1:41000', '192.0.2.1'],
  ['behind proxies with ports', '10.0.0.1', '1.1.1.1, 192.0.2.1:41000, 10.2.0.1:443', '192.0.2.1'],
  ['IPv6 in brackets with its port', '10.0.0.1', '[2001:db8::7]:41000', '2001:db8::7'],
  ['IPv6 in brackets', '10.0.0.1', '[2001:DB8:0::7]', '2001:db8::7'],
  ['IPv4 inside IPv6, in brackets', '10.0.0.1', '[::ffff:192.0.2.1]:80', '192.0.2.1'],
  ['in quotes', '10.0.0.1', '"192.0.2.1"', '192.0.2.1'],
  ['in quotes and brackets', '10.0.0.1', '"[2001:db8::7]:41000"', '2001:db8::7'],
  ['as RFC 7239 writes it', '10.0.0.1', 'proto=https;For="[2001:db8::7]:_x";by=10.0.0.1', '2001:db8::7'],
  ['among blanks', '10.0.0.1', '\t 192.0.2.1 \u00A0, ', '192.0.2.1'],
  ['without its zone', '10.0.0.1', 'fe80::1%eth0', 'fe80::1'],
  ['a peer without its zone', 'fe80::1%eth0', '1.1.1.1', 'fe80::1'],
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

test.each(['unknown', '_hidden', '192.0.2.256', '010.0.0.1', '[fe80::zz]:80', '192.0.2.1:41000:1', '1.2.3'])(
  'what is no address is reported, and the proxy counts: %s',
  (text) => {
    const unreadable: string[] = [];
    const addressOf = clientAddress({ trustedProxies: ['10.0.0.0/8'], trustedProxyHeader: true }, (hop) =>
      unreadable.push(hop),
    );
    expect(addressOf('10.0.0.1', `192.0.2.1, ${text}`)).toBe('10.0.0.1');
    expect(addressOf('10.0.0.1', undefined)).toBe('10.0.0.1');
    expect(addressOf('10.0.0.1', ' , ')).toBe('10.0.0.1');
    expect(unreadable).toEqual([text]);
  },
);

test.each([
  ['::ffff:10.0.0.0/104', '10.1.2.3', true],
  ['::ffff:10.0.0.0/104', '11.1.2.3', false],
  ['10.0.0.0/8', '::ffff:0a01:0203', true],
  ['fe80::/10', 'fe80::1%eth0', true],
])('the range %s matches the peer %s: %s', (range, peer, isProxy) => {
  const addressOf = clientAddress({ trustedProxies: [range], trustedProxyHeader: true });
  expect(addressOf(peer, '192.0.2.1') === '192.0.2.1').toBe(isProxy);
});
