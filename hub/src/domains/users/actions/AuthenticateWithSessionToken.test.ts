import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { validPassword, signIn } from '../../../../test/test-users.ts';
import { AuthenticateWithSessionToken } from '../internal/AuthenticateWithSessionToken.ts';

const hour = 3600;
const day = 24 * hour;

let hub: FreshExecutor;
beforeAll(async () => {
  hub = await freshExecutor();
  await hub.user('ann@example.com', { password: validPassword });
});
afterAll(() => hub[Symbol.asyncDispose]());

type Session = Awaited<ReturnType<typeof signIn>>;

const start = (validForSecs?: number) =>
  signIn(hub, 'ann@example.com', validPassword, validForSecs === undefined ? {} : { validForSecs });

async function resultOf({ sessionToken }: Session): Promise<string> {
  return (await hub.run(AuthenticateWithSessionToken, { token: sessionToken })).result;
}

test('a session resolves to its user', async () => {
  const session = await start();
  const { userId, sessionId, sessionToken: token } = session;
  expect(sessionId.slice('u_session_pk_'.length)).toBe(token.slice('u_session_sk_'.length).slice(0, 22));
  expect(await hub.run(AuthenticateWithSessionToken, { token })).toEqual({
    result: 'Authenticated',
    userId,
    sessionId,
    steppedUpAt: '2026-11-20T12:00:00Z',
    actor: { actor: 'User', kind: 'User', userId },
  });
});

test('a wrong secret with the right id is anonymous and does not extend the session', async () => {
  const session = await start();
  const last = session.sessionToken.endsWith('a') ? 'b' : 'a';
  const sessionToken = `${session.sessionToken.slice(0, -1)}${last}` as const;
  hub.advance(6 * hour);
  expect(await resultOf({ ...session, sessionToken } as Session)).toBe('Invalid');
  hub.advance(6 * hour);
  expect(await resultOf(session)).toBe('Invalid');
});

test('a session of a day expires after 12 idle hours, and use extends it', async () => {
  const session = await start();
  hub.advance(11 * hour);
  expect(await resultOf(session)).toBe('Authenticated');
  hub.advance(11 * hour);
  expect(await resultOf(session)).toBe('Authenticated');
  const resting = await start();
  hub.advance(12 * hour);
  expect(await resultOf(resting)).toBe('Invalid');
});

test('use does not extend a session beyond its end', async () => {
  const session = await start();
  for (let passed = 0; passed < 23; passed += 1) {
    hub.advance(hour);
    expect(await resultOf(session)).toBe('Authenticated');
  }
  hub.advance(hour);
  expect(await resultOf(session)).toBe('Invalid');
});

test('a remembered session expires after 14 idle days and ends after 30', async () => {
  const used = await start(30 * day);
  const resting = await start(30 * day);
  hub.advance(13 * day);
  expect(await resultOf(used)).toBe('Authenticated');
  hub.advance(day);
  expect(await resultOf(resting)).toBe('Invalid');
  hub.advance(12 * day);
  expect(await resultOf(used)).toBe('Authenticated');
  hub.advance(4 * day);
  expect(await resultOf(used)).toBe('Invalid');
});
