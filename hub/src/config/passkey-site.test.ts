import { expect, test } from 'vitest';
import { passkeySite } from './passkey-site.ts';

test.each([
  ['https://hub.example.org', [], 'hub.example.org', 'https://hub.example.org'],
  ['https://hub.example.org:8443', ['hub.lan'], 'hub.example.org', 'https://hub.example.org:8443'],
  ['http://localhost:8080', [], 'localhost', 'http://localhost:8080'],
  // No browser knows passkeys for an address; the default hub is known as localhost, too.
  ['http://127.0.0.1:8080', [], 'localhost', 'http://localhost:8080'],
  ['http://[::1]:8080', [], 'localhost', 'http://localhost:8080'],
  ['https://192.0.2.7', ['192.0.2.8', 'hub.lan'], 'hub.lan', 'https://hub.lan'],
] as const)('the passkeys of %s with the names %j belong to %s, at %s', (publicUrl, names, rpId, origin) => {
  expect(passkeySite(publicUrl, names)).toEqual({ rpId, origin });
});

test.each([
  ['https://192.0.2.7', []],
  ['https://[2001:db8::7]', []],
  ['http://192.0.2.7:8080', ['localhost.example.org']],
  ['http://hub.lan:8080', ['hub.example.org']],
] as const)('%s with the names %j has no passkeys', (publicUrl, names) => {
  expect(passkeySite(publicUrl, names)).toBeUndefined();
});
