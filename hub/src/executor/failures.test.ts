import { expect, test } from 'vitest';
import { failureOf } from './failures.ts';

test.each([
  'The database does not answer.',
  'Connection terminated unexpectedly',
  'timeout exceeded when trying to connect',
])('a database that cannot be used is no fault of the hub: %s', (message) => {
  expect(failureOf(new Error(message), 'r')).toMatchObject({ kind: 'NotReady', retryAfterSecs: 1 });
});
