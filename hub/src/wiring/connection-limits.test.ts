import { expect, test } from 'vitest';
import { connectionLimits, linkLimit } from './connection-limits.ts';

const unset = {
  maxConnections: undefined,
  maxConnectionsPerAddress: undefined,
  trustedProxies: ['10.0.0.1'],
};

test('connections stay below the descriptors, and devices below the connections', () => {
  const limits = connectionLimits(unset, 500);
  expect(limits).toMatchObject({ total: 375, perAddress: 188 });
  expect(linkLimit(limits)).toBe(328);
  expect([limits.isProxy('10.0.0.1'), limits.isProxy('10.0.0.2')]).toEqual([true, false]);
});

test('the limit of the system is read, and configured limits take precedence', () => {
  expect(connectionLimits(unset).total).toBeGreaterThan(100);
  const set = { ...unset, maxConnections: 1_000, maxConnectionsPerAddress: 900 };
  expect(connectionLimits(set, 500)).toMatchObject({ total: 1_000, perAddress: 900 });
});
