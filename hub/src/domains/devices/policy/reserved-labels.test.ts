import { expect, test } from 'vitest';
import { isReservedLabel } from './reserved-labels.ts';

test.each(
  'login log-in l0gin l-o-g-i-n log1n logon sign-in signin s1gn-in sign-in-2 2-sign-in signup sign-on account-security my-account acc0unt account7 accounts password reset-password pass-word p4ssword billing secure-login security verify-account oauth2 sso corral corral-login webmail www www2 api api-2 app admin admin-1 4dmin auth auth0 console hub support support-24 mail mail-1 ns1 ns2 proxy-2 status id root wpad help-desk xn--abc ab--cd'.split(
    ' ',
  ),
)('%s is reserved', (label) => expect(isReservedLabel(label)).toBe(true));

test.each(
  'press-7 pump-10 name-0 analog-in-3 catalog-inspector dialog-input line-1-status plant-hub-3 camera-4 accounting-printer 123 10-42 mailroom-door signal-10 x3kq7'.split(
    ' ',
  ),
)('%s is free', (label) => expect(isReservedLabel(label)).toBe(false));
