import { expect, test } from 'vitest';
import { waysOf } from './proof-ways.ts';

const here = { provider: 'Harbour', isHere: true };
const confirmsBy = ['passkey', 'totp', 'recoveryCode', 'password', 'provider'] as const;

test('what the hub says is offered, in its order', () => {
  expect(waysOf({ confirmsBy: [...confirmsBy] }, here)).toEqual([
    'passkey',
    'code',
    'recoveryCode',
    'password',
    'provider',
  ]);
  expect(waysOf({ confirmsBy: [] }, here)).toEqual([]);
});

test('a passkey is offered where the browser knows one, and a provider that has a name', () => {
  const nowhere = { provider: undefined, isHere: false };
  expect(waysOf({ confirmsBy: [...confirmsBy] }, nowhere)).toEqual(['code', 'recoveryCode', 'password']);
});
