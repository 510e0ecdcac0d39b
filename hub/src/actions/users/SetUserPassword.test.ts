import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../test/fresh-executor.ts';
import {
  auditText,
  auditedStatuses,
  validPassword,
  userRowsText,
  signIn,
  trySignIn,
} from '../../../test/test-users.ts';
import { PreparingClient } from '../../db/PreparingClient.ts';

// The real library, with its calls counted.
vi.mock('@node-rs/argon2', { spy: true });

const newPassword = 'seven blue kettles sing';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

test("only the new password is accepted, and only the caller's session stays", async () => {
  const ann = await hub.user('ann@example.com', { password: validPassword });
  const mine = await signIn(hub, 'ann@example.com', validPassword);
  const other = await signIn(hub, 'ann@example.com', validPassword);
  const origin = { sessionId: mine.sessionId.slice('u_session_pk_'.length) };
  hub.emittedEvents.length = 0;
  await hub.as(ann, 'users_SetUserPassword', { userId: ann.userId, password: newPassword }, origin);
  expect(hub.emittedEvents.map(({ name, data }) => [name, data])).toEqual([
    ['users_SetPassword', { userId: ann.userId }],
    ['users_SessionTerminated', { userId: ann.userId, sessionId: other.sessionId }],
    ['mail_Queued', {}],
  ]);
  const resolve = (token: typeof mine.sessionToken) =>
    hub.as(system, 'users_AuthenticateWithSessionToken', { token });
  expect((await resolve(mine.sessionToken)).result).toBe('Authenticated');
  expect((await resolve(other.sessionToken)).result).toBe('Invalid');
  expect(await trySignIn(hub, 'ann@example.com', validPassword)).toEqual({ result: 'InvalidCredentials' });
  await signIn(hub, 'ann@example.com', newPassword);
  expect(await auditText(hub)).not.toContain(newPassword);
});

test('an administrator sets the password of another and ends all of its sessions, keeping its own', async () => {
  const admin = await hub.user('admin@example.com', { isAdmin: true, password: validPassword });
  const bea = await hub.user('bea@example.com', { password: validPassword });
  const own = await signIn(hub, 'admin@example.com', validPassword);
  await signIn(hub, 'bea@example.com', validPassword);
  await hub.as(
    admin,
    'users_SetUserPassword',
    { userId: bea.userId, password: newPassword },
    { sessionId: own.sessionId.slice('u_session_pk_'.length) },
  );
  expect((await hub.as(bea, 'users_QueryUserSessions', { userId: bea.userId })).sessions).toEqual([]);
  expect((await hub.as(admin, 'users_QueryUserSessions', { userId: admin.userId })).sessions).toHaveLength(1);
});

test.each([
  ['1234567', 'Password must be at least 8 characters long.'],
  ['Ж'.repeat(7), 'Password must be at least 8 characters long.'],
  ['x'.repeat(1025), 'Password must be at most 1024 bytes long.'],
  ['Password123', 'This password is one of the most common ones. Please choose another one.'],
])('%s is refused and changes nothing', async (password, message) => {
  const cas = await hub.user(`cas${password.length}.${password.charCodeAt(0)}@example.com`, {
    password: validPassword,
  });
  const before = await userRowsText(hub);
  expect(await hub.refusal(cas, 'users_SetUserPassword', { userId: cas.userId, password })).toEqual({
    kind: 'Invalid',
    message,
  });
  expect(await userRowsText(hub)).toBe(before);
  expect((await auditedStatuses(hub, 'users_SetUserPassword')).at(-1)).toBe('Failed');
});

test('blanks around a password are part of it', async () => {
  const dan = await hub.user('dan@example.com');
  await hub.as(dan, 'users_SetUserPassword', { userId: dan.userId, password: '  eight  ' });
  expect(await trySignIn(hub, 'dan@example.com', 'eight')).toEqual({ result: 'InvalidCredentials' });
  await signIn(hub, 'dan@example.com', '  eight  ');
});

test('the password is hashed before the transaction begins, and only if the caller may set it', async () => {
  const eve = await hub.user('eve@example.com');
  const set = { userId: eve.userId, password: newPassword };
  const stranger = await hub.user('stranger@example.com');
  vi.mocked(hash).mockClear();
  await hub.refusal(stranger, 'users_SetUserPassword', set);
  await hub.refusal(stranger, 'users_CreateUser', { email: 'fay@example.com', password: newPassword });
  expect(hash).not.toHaveBeenCalled();
  for (const [actor, name, input] of [
    [eve, 'users_SetUserPassword', set],
    [system, 'users_CreateUser', { email: 'fay@example.com', password: newPassword }],
  ] as const) {
    vi.mocked(hash).mockClear();
    using sent = vi.spyOn(PreparingClient.prototype, 'query');
    await hub.as(actor, name, input);
    const begun = sent.mock.calls.findIndex(([statement]) => statement === 'begin');
    expect(vi.mocked(hash).mock.invocationCallOrder).toHaveLength(1);
    expect(vi.mocked(hash).mock.invocationCallOrder[0]).toBeLessThan(
      sent.mock.invocationCallOrder[begun] ?? 0,
    );
  }
});

test('ninety changes at once make no sign-in fail, and only five are made', async () => {
  const [gil, hal] = [
    await hub.user('gil@example.com'),
    await hub.user('hal@example.com', { password: validPassword }),
  ];
  const change = (count: number) =>
    hub.as(gil, 'users_SetUserPassword', { userId: gil.userId, password: `${newPassword} ${count}` });
  const changes = Promise.allSettled(Array.from({ length: 90 }, (_, count) => change(count)));
  const signIns = Array.from({ length: 14 }, () => signIn(hub, 'hal@example.com', validPassword));
  expect((await Promise.all(signIns)).map(({ userId }) => userId)).toEqual(signIns.map(() => hal.userId));
  const outcomes = await changes;
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: {
      kind: 'Throttled',
      message: 'This password was changed too often. Please wait before you change it again.',
    },
  });
});
