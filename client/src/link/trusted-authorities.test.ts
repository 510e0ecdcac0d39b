import { expect, test } from 'vitest';
import { trustedAuthorities } from './trusted-authorities.ts';

const files: Record<string, string> = { '/own.pem': 'own', '/extra.pem': 'extra' };
const readFile = (path: string): string => {
  const text = files[path];
  if (text === undefined) throw new Error('ENOENT');
  return text;
};
const tls = {
  rootCertificates: ['node'],
  getCACertificates: (which: 'default' | 'system') =>
    which === 'default' ? ['node', 'both'] : ['both', 'system'],
};
const trusted = (env: Record<string, string>, older = false, hasSystemStore = true): string[] =>
  trustedAuthorities({ env, readFile, hasSystemStore, tls: older ? { rootCertificates: ['node'] } : tls });

test.each([
  [{}, ['node', 'both', 'system']],
  [{ SSL_CERT_FILE: '/own.pem' }, ['own']],
  [{ NODE_EXTRA_CA_CERTS: '/extra.pem' }, ['node', 'both', 'system', 'extra']],
  [{ SSL_CERT_FILE: '/own.pem', NODE_EXTRA_CA_CERTS: '/extra.pem' }, ['own', 'extra']],
  [{ SSL_CERT_FILE: '' }, ['node', 'both', 'system']],
])('with %j, %j are believed', (env, expected) => expect(trusted(env)).toEqual(expected));

test('a system without a store of authorities is not asked', () => {
  expect(trusted({}, false, false)).toEqual(['node', 'both']);
});

test('an older Node trusts its bundled authorities', () => {
  expect(trusted({ NODE_EXTRA_CA_CERTS: '/extra.pem' }, true)).toEqual(['node', 'extra']);
});

test.each(['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'])(
  'a file of %s that cannot be read is named in the error',
  (key) => {
    expect(() => trusted({ [key]: '/gone.pem' })).toThrow(`${key}: the file /gone.pem cannot be read.`);
  },
);
