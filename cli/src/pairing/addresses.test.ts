import { expect, test } from 'vitest';
import { addressesOf, addressText, readAddress } from './addresses.ts';

const hosts = (network: string) => addressesOf(network, 6947).map(({ host }) => host);

test('a network has its machines, without the addresses of itself and of all', () => {
  expect(hosts('192.168.1.77/30')).toEqual(['192.168.1.77', '192.168.1.78']);
  expect(hosts('192.168.1.0/24')).toHaveLength(254);
  expect(hosts('10.0.16.0/20')).toHaveLength(4094);
  expect(hosts('10.0.16.0/20').at(-1)).toBe('10.0.31.254');
  expect(hosts('255.255.255.254/31')).toEqual(['255.255.255.254', '255.255.255.255']);
  expect(hosts('10.0.0.9/32')).toEqual(['10.0.0.9']);
});

test.each(['192.168.1.0', '192.168.1.0/33', '192.168.1.256/24', 'fe80::/64', '10.0.0.0/19', '0.0.0.0/0'])(
  'what is no network, or too large a one, is not scanned: %s',
  (network) => expect(() => hosts(network)).toThrow(/ is no IPv4 network|too many addresses/),
);

test('an address is read with or without a port', () => {
  expect(readAddress('192.168.1.7', 6947)).toEqual({ host: '192.168.1.7', port: 6947 });
  expect(readAddress('pump.local:80', 6947)).toEqual({ host: 'pump.local', port: 80 });
  const local = readAddress('[fe80::1]:7000', 6947);
  expect(local).toEqual({ host: 'fe80::1', port: 7000 });
  expect(addressText(local, 6947)).toBe('[fe80::1]:7000');
  expect(addressText({ host: '10.0.0.1', port: 6947 }, 6947)).toBe('10.0.0.1');
});

test.each(['', 'a b', 'http://x', 'host:0', 'host:70000', 'fe80::1'])('is no address: %j', (text) =>
  expect(() => readAddress(text, 6947)).toThrow('is no address'),
);
