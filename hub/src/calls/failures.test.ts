import { expect, test } from 'vitest';
import { failureOf } from './failures.ts';

test.each([
  ['the machine of the database is gone', 'EHOSTUNREACH'],
  ['its network is gone', 'ENETUNREACH'],
  ['its name is unknown', 'ENOTFOUND'],
  ['the name server is gone', 'EAI_AGAIN'],
  ['the server became a standby', '25006'],
  ['it refuses connections', '08004'],
  ['its server ended an idle session', '57P05'],
])('a database that cannot be reached is no fault of the hub: %s', (_what, code) => {
  expect(failureOf(Object.assign(new Error('refused'), { code }), 'r')).toMatchObject({
    kind: 'NotReady',
    retryAfterSecs: 1,
  });
});

test.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
  'a database that cannot be used is no fault of the hub: %s',
  (message) => {
    expect(failureOf(new Error(message), 'r')).toMatchObject({ kind: 'NotReady', retryAfterSecs: 1 });
  },
);
