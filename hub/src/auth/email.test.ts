import { expect, test } from 'vitest';
import { canonicalEmail } from '@corral/contract';
import { mustBeEmail } from './email.ts';

test.each([
  ['  Ann@Example.COM\n', 'ann@example.com'],
  ['admin@localhost', 'admin@localhost'],
  ['ann+farm@example.com', 'ann+farm@example.com'],
])('%j becomes %s', (typed, email) => {
  expect(mustBeEmail(typed)).toBe(email);
  expect(canonicalEmail(typed)).toBe(email);
});

test.each([
  '',
  ' ',
  'ann',
  '@example.com',
  'ann@',
  'a@b@c',
  'ann,bea@example.com',
  '<ann@example.com>',
  '"ann"@example.com',
  'an n@example.com',
  'ann@exa\u0000mple.com',
  `${'a'.repeat(243)}@example.com`,
])('%j is refused', (typed) => {
  expect(() => mustBeEmail(typed)).toThrow('Please enter a valid email address.');
});
