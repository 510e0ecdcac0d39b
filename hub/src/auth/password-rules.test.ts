import { expect, test } from 'vitest';
import { readCommonPasswords } from './common-passwords.ts';
import { mustBeGoodPassword } from './password-rules.ts';

const email = 'annabel@example.com';
const tooShort = 'Password must be at least 8 characters long.';
const tooCommon = 'This password is one of the most common ones. Please choose another one.';
const aName =
  'The password must not be your e-mail address or the name of this product. Please choose another one.';

test.each([
  ['', tooShort],
  ['1234567', tooShort],
  ['🐎🐎🐎🐎', tooShort],
  [`${'x'.repeat(1023)}é`, 'Password must be at most 1024 bytes long.'],
  ['12345678', tooCommon],
  ['QWERTY123', tooCommon],
  ['iLoveYou', tooCommon],
  ['annabel@example.com', aName],
  ['Annabel@Example.com', aName],
  ['Annabel1', aName],
  ['annabel-2026!', aName],
  ['Corral2026', aName],
  ['corralcorral', aName],
])('%s is refused', (password, message) => {
  expect(() => mustBeGoodPassword(password, email)).toThrow(message);
});

test.each(['        ', 'eight chr', 'x'.repeat(1024), 'annabel likes corrals', '🐎'.repeat(8), ' 1234567'])(
  '%s is accepted',
  (password) => {
    expect(() => mustBeGoodPassword(password, email)).not.toThrow();
  },
);

test('at least 3,000 common passwords are known, each as long as a password has to be and in lower case', () => {
  const common = [...readCommonPasswords()];
  expect(common.length).toBeGreaterThanOrEqual(3000);
  expect(
    common.filter((password) => [...password].length < 8 || password !== password.toLowerCase()),
  ).toEqual([]);
});

test('every common password is refused, in capitals too', () => {
  for (const password of readCommonPasswords())
    expect(() => mustBeGoodPassword(password.toUpperCase(), email), password).toThrow(/most common/);
});
