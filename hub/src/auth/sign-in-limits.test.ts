import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { blockSecs, signInAttempt } from './sign-in-limits.ts';

const now = new Date('2026-11-20T12:00:20Z');

test.each([
  ['pair', 4, 0],
  ['pair', 5, 30],
  ['pair', 9, 480],
  ['pair', 10, 900],
  ['pair', 5000, 900],
  ['account', 99, 0],
  ['account', 100, 30],
  ['account', 100_000, 30],
  ['network', 29, 0],
  ['network', 30, 40],
  ['instance', 999, 0],
  ['instance', 1000, 40],
] as const)('a %s with %i failures is blocked for %i seconds', (scope, failures, secs) => {
  expect(blockSecs(scope, failures, now)).toBe(secs);
});

test('without an address no network is counted', () => {
  const { counters } = signInAttempt(randomBytes(32), 'ann@example.com', undefined, now);
  expect(counters.map(({ scope }) => scope)).toEqual(['pair', 'account', 'instance']);
});

test('subjects differ by key, account, network and, for networks, by minute', () => {
  const key = randomBytes(32);
  const later = new Date(now.getTime() + 60_000);
  const subjects = [
    signInAttempt(key, 'ann@example.com', '192.0.2.1', now),
    signInAttempt(randomBytes(32), 'ann@example.com', '192.0.2.1', now),
    signInAttempt(key, 'bea@example.com', '198.51.100.1', later),
  ].flatMap(({ counters, knownSubject }) => [...counters.map(({ subject }) => subject), knownSubject]);
  expect(new Set(subjects).size).toBe(subjects.length);
});
