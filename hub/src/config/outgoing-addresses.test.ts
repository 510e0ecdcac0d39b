import { expect, test } from 'vitest';
import { outgoingRule } from './outgoing-addresses.ts';
import { privateTargets } from './private-targets.ts';

const at = (host: string, port: number, isTls: boolean) => ({ host, port, isTls });
const https = at('named.example', 443, true);

test('the hub is led to the internet by https, or to a place that the operator lists', () => {
  const rule = outgoingRule([]);
  for (const address of ['1.1.1.1', '2606:4700::1', '2a00:1450:4001::1', '::ffff:8.8.8.8'])
    expect(rule(address, https), address).toBeUndefined();
  expect(rule('1.1.1.1', at('named.example', 80, false))).toBe('Unencrypted');
  const ofNoHost = ['192.0.0.1', '192.88.99.1', '198.18.0.1', '100::1', '5f00::1', 'fec0::1', '2001:2::1'];
  const documentation = ['192.0.2.1', '198.51.100.1', '203.0.113.7', '2001:db8::1', '3fff::1'];
  const leadingInside = [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::7f00:1',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
  ];
  const ofNetworks = ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.0.1', '100.64.0.1', '::1', 'fd12::1'];
  const translated = ['64:ff9b:1:a00::1', '2002:a00:1::1', '2001:0:a00:1::1', '4000::1', 'c000::1'];
  for (const address of [...ofNetworks, ...leadingInside, ...translated, ...ofNoHost, ...documentation])
    expect(rule(address, https), address).toBe('Private');
});

test('a listed place is a host, an address or a range, and a port', () => {
  const rule = outgoingRule(
    privateTargets.parse('IdP.lan:8443, 10.1.0.0/16:9000 192.168.0.7:*,[fd00::/8]:443, [::1]:80'),
  );
  const allows = (address: string, port: number, host = 'any.example') =>
    rule(address, at(host, port, false)) === undefined;
  expect(allows('10.9.9.9', 8443, 'idp.lan')).toBe(true);
  expect(allows('10.9.9.9', 8443, 'IDP.LAN.')).toBe(true);
  expect(allows('10.9.9.9', 8444, 'idp.lan')).toBe(false);
  expect(allows('10.9.9.9', 8443, 'x.idp.lan')).toBe(false);
  expect(allows('10.1.2.3', 9000)).toBe(true);
  expect(allows('::ffff:10.1.2.3', 9000)).toBe(true);
  expect(allows('10.1.2.3', 5432)).toBe(false);
  expect(allows('10.2.0.1', 9000)).toBe(false);
  expect(allows('192.168.0.7', 1)).toBe(true);
  expect(allows('fd12::1', 443)).toBe(true);
  expect(allows('fd12::1', 80)).toBe(false);
  expect(allows('::1', 80)).toBe(true);
});

test.each([
  '10.0.0.1',
  '10.0.0.0/33:1',
  'fd00::1:443',
  '[idp.lan]:443',
  'a_b:1',
  '10.0.0.1:0',
  '10.0.0.1:65536',
  'http://idp.lan:80',
  '10.0.0.999:1',
  ':80',
])('a list with %s is refused with a sentence', (list) => {
  expect(privateTargets.safeParse(`1.2.3.4:1,${list}`).error?.issues[0]?.message).toMatch(
    /^must be hosts, addresses or ranges, each with a port or \*/,
  );
});

test('the hub is never led to an address of a cloud that describes the machine', () => {
  for (const rule of [outgoingRule('all'), outgoingRule(privateTargets.parse('0.0.0.0/0:* [::/0]:*'))])
    for (const address of [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      'fe80::1',
      'fe80::1%eth0',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
      '64:ff9b:1::a9fe:a9fe',
      '64:ff9b:1:a9fe:a9:fe00::',
      '::ffff:0:a9fe:a9fe',
      'fd00:ec2::254',
      'fd20:ce::254',
      '168.63.129.16',
      '0.0.0.0',
      '::',
      '100.100.100.200',
      '192.0.0.192',
      '224.0.0.1',
      '255.255.255.255',
    ])
      expect(rule(address, https), address).toBe('Forbidden');
  expect(outgoingRule('all')('127.0.0.1', at('127.0.0.1', 80, false))).toBeUndefined();
});
