import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { newGrantId, signProxyToken } from '../../auth/proxy-token.ts';
import { readTarget } from './request-target.ts';

const grant = {
  id: newGrantId(),
  userId: 'u',
  deviceId: 'd',
  label: 'l',
  port: 80,
  isSingleUse: true,
  endsAtSecs: 1,
};
const entry = await signProxyToken(Buffer.alloc(32), 'entry', grant, new Date(0), 1);
const access = await signProxyToken(Buffer.alloc(32), 'access', grant, new Date(0), 1);

const target = (url: string) => readTarget({ method: 'GET', url } as IncomingMessage);

test.each([
  ['/?token=@', '/'],
  ['/a/b?x=1&token=@&y=%20', '/a/b?x=1&y=%20'],
  ['/a?token=theirs&token=@', '/a?token=theirs'],
  ['/a?token=@&token=@', '/a'],
  ['//evil.example/?token=@', '/evil.example/'],
  ['/\\evil.example/?token=@', '/evil.example/'],
])('%s is an entry token for %s', (url, path) => {
  expect(target(url.replaceAll('@', entry))).toEqual({ path, entryToken: entry });
});

test.each([
  '/',
  '/?token=',
  '/?token=abc',
  '/?token=a.b.c',
  '/?xtoken=@',
  '/#token=@',
  '//a/b',
  `/?token=${access}`,
])('%s is forwarded unchanged', (url) => {
  const requested = url.replaceAll('@', entry);
  expect(target(requested)).toEqual({ path: requested, entryToken: undefined });
});
