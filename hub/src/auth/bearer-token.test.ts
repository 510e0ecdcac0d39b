import { expect, test } from 'vitest';
import { bearerToken } from './bearer-token.ts';

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

test.each([
  'Bearer abc',
  'bearer  abc',
  'Bearer abc \t',
  latin1('Bearer \uFEFFabc\u00A0'),
  'Bearer abc\u00A0',
])('%j has the token abc', (header) => expect(bearerToken(header)).toBe('abc'));

test.each(['', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer abc def', 'Bearer abc, def', latin1('Bearer abcé')])(
  '%j has none',
  (header) => expect(bearerToken(header)).toBeUndefined(),
);
