import { expect, test } from 'vitest';
import { proxyCookie } from './cookie.ts';

test('the cookie has the prefix __Host-, and another name over plain HTTP', () => {
  expect(proxyCookie(false).write('token', 60)).toBe(
    '__Host-proxy=token; Max-Age=86460; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  expect(proxyCookie(true).write('token', 60)).toBe(
    'proxy=token; Max-Age=86460; Path=/; HttpOnly; SameSite=Lax',
  );
  expect(proxyCookie(false).clear()).toBe('__Host-proxy=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax');
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['__Host-proxy=t', 't'],
  ['a=1;__Host-proxy=t; b=2', 't'],
  ['x__Host-proxy=t', undefined],
  ['__Host-proxy2=t', undefined],
])('reads the Cookie header %j as %j', (header, token) => {
  expect(proxyCookie(false).read(header)).toBe(token);
});

test('removes only the cookies of the hub from the Cookie header', () => {
  expect(proxyCookie(false).withoutOwn('__Host-proxy=t')).toBeUndefined();
  expect(proxyCookie(false).withoutOwn('proxy=1; __host-session=t; a="x y"')).toBe('proxy=1; a="x y"');
  expect(proxyCookie(true).withoutOwn('proxy=1; a=2')).toBe('a=2');
});

test.each([
  ['a=b; Path=/; HttpOnly', true],
  ['domain=1; Path=/', true],
  ['a=b; Domain=', false],
  ['a=b;  dOmAiN =x', false],
  ['__Host-Proxy=x; Secure; Path=/', false],
  ['==__Host-proxy=x', false],
])('a device may set %j: %s', (header, may) => {
  expect(proxyCookie(false).mayBeSet(header)).toBe(may);
});
