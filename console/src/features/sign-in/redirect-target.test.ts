import { describe, expect, test } from 'vitest';
import { redirectTarget } from './redirect-target.ts';

const origin = 'https://hub.example';

describe('the redirect target of the sign-in page', () => {
  test.each([
    ['/', '/'],
    ['/projects', '/projects'],
    [
      '/projects/p_1/devices?status=disconnected&q=a%20b#top',
      '/projects/p_1/devices?status=disconnected&q=a%20b#top',
    ],
    ['/@evil.example', '/@evil.example'],
    ['/login-help', '/login-help'],
  ])('%s is a path on this site', (value, target) => {
    expect(redirectTarget(value, origin)).toBe(target);
  });

  test.each([
    [undefined],
    [''],
    [7],
    [['/projects']],
    ['projects'],
    ['//evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['/\t/evil.example'],
    ['/\n/evil.example'],
    ['/.//evil.example'],
    ['/a/..//evil.example'],
    ['https://evil.example/'],
    ['https:/evil.example'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    [' /projects'],
    ['/login'],
    ['/login?redirect=/login'],
  ])('%j is undefined', (value) => {
    expect(redirectTarget(value, origin)).toBeUndefined();
  });
});
