import { expect, test } from 'vitest';
import { storeAddressRule } from './store-addresses.ts';

test('a store of a repository is on the internet by https, or in a range that the operator allows', () => {
  const rule = storeAddressRule([]);
  const inside = storeAddressRule(['10.0.0.0/8', '127.0.0.1', 'fd00::/8']);
  expect(rule('203.0.113.7', true)).toBeUndefined();
  expect(rule('2001:db8::1', true)).toBeUndefined();
  expect(rule('2606:4700::1', true)).toBeUndefined();
  expect(rule('203.0.113.7', false)).toMatch(/change http to https/);
  for (const address of ['127.0.0.1', '10.1.2.3', '192.168.0.1', '100.64.0.1', '::1', 'fd12::1']) {
    expect(rule(address, true)).toMatch(/CORRAL_S3_PRIVATE_RANGES/);
  }
  const leadingInside = [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::7f00:1',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
  ];
  const ofNoHost = ['192.0.0.1', '192.88.99.1', '198.18.0.1', '100::1', '5f00::1', 'fec0::1', '2001:2::1'];
  for (const address of [
    ...leadingInside,
    '64:ff9b:1:a00::1',
    '2002:a00:1::1',
    '2001:0:a00:1::1',
    ...ofNoHost,
  ])
    expect(rule(address, true), address).toMatch(/CORRAL_S3_PRIVATE_RANGES/);
  for (const address of ['127.0.0.1', '10.1.2.3', 'fd12::1']) expect(inside(address, false)).toBeUndefined();
});

test('no store is at an address of a cloud that describes the machine', () => {
  for (const rule of [storeAddressRule('all'), storeAddressRule(['0.0.0.0/0', '::/0'])])
    for (const address of [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      'fe80::1',
      'fe80::1%eth0',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
      'fd00:ec2::254',
      '0.0.0.0',
      '::',
      '100.100.100.200',
      '192.0.0.192',
      '224.0.0.1',
      '255.255.255.255',
    ])
      expect(rule(address, true), address).toMatch(/cannot be at the address of this host/);
  expect(storeAddressRule('all')('127.0.0.1', false)).toBeUndefined();
});
