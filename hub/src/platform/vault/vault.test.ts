import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

const [one, two] = [randomBytes(32), randomBytes(32)];
const secret = Buffer.from('a key of something');

test('a sealed secret is unreadable, and decrypts in its place with its key', () => {
  const vault = createVault([one]);
  const sealed = vault.seal(secret, 'table/row');
  expect(vault.open(sealed, 'table/row')).toEqual(secret);
  expect(sealed.bytes.includes(secret)).toBe(false);
  expect(vault.seal(secret, 'table/row').bytes).not.toEqual(sealed.bytes);
});

test('a secret does not decrypt in another place, with another key, or with a changed bit', () => {
  const vault = createVault([one]);
  const sealed = vault.seal(secret, 'table/row');
  expect(() => vault.open(sealed, 'table/other')).toThrow();
  expect(() => createVault([two]).open(sealed, 'table/row')).toThrow(
    `The secret key ${vault.keyId} is missing.`,
  );
  for (let at = 0; at < sealed.bytes.length; at += 1) {
    const altered = Buffer.from(sealed.bytes);
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(() => vault.open({ ...sealed, bytes: altered }, 'table/row')).toThrow();
  }
});

test('the first key encrypts, and older keys still decrypt', () => {
  const old = createVault([one]).seal(secret, 'p');
  const vault = createVault([two, one]);
  expect(vault.open(old, 'p')).toEqual(secret);
  expect(vault.seal(secret, 'p').keyId).toBe(createVault([two]).keyId);
  expect([vault.has(old.keyId), createVault([two]).has(old.keyId)]).toEqual([true, false]);
});
