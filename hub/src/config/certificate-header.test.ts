import { expect, test } from 'vitest';
import { certificateHeaderTrust } from './certificate-header.ts';

const plain = {
  deviceCertificateHeader: 'auto',
  trustedProxies: [],
  host: '127.0.0.1',
  publicUrl: 'http://127.0.0.1:8080',
  tls: undefined,
} as const;
const behindProxy = { ...plain, trustedProxies: ['10.0.0.0/8', '::1'] };

test.each([
  ['from all addresses on loopback without TLS', plain, '127.0.0.1', 'also'],
  ['from none if other machines can reach the hub', { ...plain, host: '0.0.0.0' }, '127.0.0.1', 'never'],
  [
    'from none if a proxy on the same machine serves others',
    { ...plain, publicUrl: 'https://hub.example' },
    '127.0.0.1',
    'never',
  ],
  ['from none if the hub terminates TLS', { ...plain, tls: {} }, '127.0.0.1', 'never'],
  [
    'from all addresses if the setting is on',
    { ...plain, host: '::', deviceCertificateHeader: 'on' },
    '192.0.2.1',
    'also',
  ],
  [
    'from none if the setting is off',
    { ...behindProxy, deviceCertificateHeader: 'off' },
    '10.0.0.1',
    'never',
  ],
  ['from a trusted proxy, whose own certificate is ignored', behindProxy, '10.0.0.1', 'only'],
  ['from a trusted proxy over IPv6', behindProxy, '::1', 'only'],
  ['from a trusted proxy with an IPv4-mapped IPv6 address', behindProxy, '::ffff:10.9.9.9', 'only'],
  ['not from another address, even on loopback', behindProxy, '127.0.0.1', 'never'],
  ['not without an address', behindProxy, undefined, 'never'],
] as const)('the header is trusted %s', (_where, settings, address, trust) => {
  expect(certificateHeaderTrust(settings)(address)).toBe(trust);
});
