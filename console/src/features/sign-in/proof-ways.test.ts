import { expect, test } from 'vitest';
import { waysOf } from './proof-ways.ts';

const factors = {
  passkeys: [],
  recoveryCodesLeft: 0,
  isRequired: false,
  hasPassword: true,
  isLinkedAtProvider: true,
};
const here = { provider: 'Harbour', isHere: true };
const authenticator = { addedAt: '2026-11-01T10:00:00.000Z', isLocked: false };

test('whoever is linked confirms at the provider, beside the password, or there only', () => {
  expect(waysOf(factors, here)).toEqual(['password', 'provider']);
  expect(waysOf({ ...factors, hasPassword: false }, here)).toEqual(['provider']);
});

test('a second factor counts more than the provider', () => {
  expect(waysOf({ ...factors, authenticator }, here)).toEqual(['code', 'recoveryCode']);
});

test('without a link, or a provider that is offered, the password is left, and the hub says more', () => {
  expect(waysOf({ ...factors, isLinkedAtProvider: false, hasPassword: false }, here)).toEqual(['password']);
  expect(waysOf(factors, { ...here, provider: undefined })).toEqual(['password']);
  expect(waysOf(undefined, here)).toEqual([]);
});
