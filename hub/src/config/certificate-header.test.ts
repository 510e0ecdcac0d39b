import { expect, test } from 'vitest';
import { certificateHeaderTrust } from './certificate-header.ts';

const plain = {
  deviceCertificateHeader: 'auto',
  trustedProxies: [],
  host: '127.0.0.1',
  tls: undefined,
} as const;
const behindProxy = { ...plain, trustedProxies: ['10.0.0.0/8', '::1'] };

test.each([
  ['from everywhere in development on loopback', plain, '127.0.0.1', 'also'],
  ['from nowhere where other machines can reach it', { ...plain, host: '0.0.0.0' }, '127.0.0.1', 'never'],
  ['from nowhere where the hub speaks TLS itself', { ...plain, tls: {} }, '127.0.0.1', 'never'],
  [
    'from everywhere where the operator insists',
    { ...plain, host: '::', deviceCertificateHeader: 'on' },
    '192.0.2.1',
    'also',
  ],
  ['from nowhere where it is off', { ...behindProxy, deviceCertificateHeader: 'off' }, '10.0.0.1', 'never'],
  ['from a trusted proxy, whose own certificate counts for nothing', behindProxy, '10.0.0.1', 'only'],
  ['from a trusted proxy over IPv6', behindProxy, '::1', 'only'],
  ['from a trusted proxy that shows as IPv4 inside IPv6', behindProxy, '::ffff:10.9.9.9', 'only'],
  ['not from the neighbour of a proxy, on loopback either', behindProxy, '127.0.0.1', 'never'],
  ['not from nobody', behindProxy, undefined, 'never'],
] as const)('the header is believed %s', (_where, settings, address, trust) => {
  expect(certificateHeaderTrust(settings)(address)).toBe(trust);
});
