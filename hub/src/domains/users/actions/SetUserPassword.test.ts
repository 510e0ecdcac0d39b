import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { anonymous, freshExecutor, type FreshExecutor, system } from '../../../../test/fresh-executor.ts';
import {
  auditedStatuses,
  auditText,
  signIn,
  trySignIn,
  userRowsText,
  validPassword,
} from '../../../../test/test-users.ts';
import { DatabaseClient } from '../../../platform/db/connect.ts';
import { AuthenticateWithSessionToken } from '../internal/AuthenticateWithSessionToken.ts';

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
  const resolve = (token: typeof mine.sessionToken) => hub.run(AuthenticateWithSessionToken, { token });
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

test('a session older than ten minutes needs the present password, also of an administrator for the own account', async () => {
  const admin = await hub.user('ivo@example.com', { password: validPassword, isAdmin: true });
  const { sessionId } = await signIn(hub, 'ivo@example.com', validPassword);
  const origin = { ip: '127.0.0.1', sessionId: sessionId.slice('u_session_pk_'.length) };
  const { userId } = admin;
  const set = (more: object) => ({ userId, password: newPassword, ...more });
  expect(
    (await hub.refusal(admin, 'users_SetUserPassword', set({ currentPassword: 'a wrong one 5' }), origin))
      .message,
  ).toBe('The present password is not right. Nothing was changed.');
  const proved = { steppedUpAt: hub.now().toISOString() };
  hub.advance(601);
  const refusal = await hub.refusal(admin, 'users_SetUserPassword', set({}), { ...origin, ...proved });
  expect(refusal).toEqual({
    kind: 'Invalid',
    message: expect.stringContaining('Enter your present password'),
  });
  expect((await hub.refusal(admin, 'users_SetUserPassword', set({}), proved)).message).toBe(refusal.message);
  expect((await hub.refusal(admin, 'users_IssuePasswordLink', { userId })).kind).toBe('Forbidden');
  expect(await trySignIn(hub, 'ivo@example.com', newPassword)).toEqual({ result: 'InvalidCredentials' });
  await hub.as(admin, 'users_SetUserPassword', set({ currentPassword: validPassword }), origin);
  await signIn(hub, 'ivo@example.com', newPassword);
  const other = await hub.user('joe@example.com', { password: validPassword });
  await hub.as(admin, 'users_SetUserPassword', { userId: other.userId, password: newPassword }, origin);
  await signIn(hub, 'joe@example.com', newPassword);
});

test('present passwords are guessed five times an hour, and the refusal says how long it lasts', async () => {
  const kim = await hub.user('kim@example.com', { password: validPassword });
  const input = { userId: kim.userId, password: newPassword, currentPassword: 'a wrong one 5' };
  for (let tries = 0; tries < 5; tries += 1)
    expect((await hub.refusal(kim, 'users_SetUserPassword', input)).kind).toBe('Invalid');
  hub.advance(32 * 60);
  const refusal = await hub.refusal(kim, 'users_SetUserPassword', {
    ...input,
    currentPassword: validPassword,
  });
  expect(refusal).toEqual({
    kind: 'Throttled',
    message: expect.stringContaining('Try again in 28 minutes.'),
  });
  // The operator is not throttled.
  await hub.as(system, 'users_SetUserPassword', { userId: kim.userId, password: newPassword });
});

test.each(['an operator', 'a link'])(
  'failed and frequent sign-ins from all networks are forgotten with a password that %s sets',
  async (by) => {
    const email = `${by.replace(' ', '-')}@example.com`;
    const lee = await hub.user(email, { password: validPassword });
    const admin = await hub.user(`admin-of-${email}`, { isAdmin: true });
    const networks = ['192.0.2.1', '192.0.2.2'];
    for (const ip of networks) for (let tries = 0; tries < 9; tries += 1) await failed(email, ip);
    const sentences = await Promise.all(networks.map((ip) => failed(email, ip)));
    expect(sentences).toEqual(
      networks.map(() => expect.stringMatching(/Try again in \d+ (second|minute)s?\.$/)),
    );
    const password = newPassword;
    if (by === 'a link') {
      const { url } = await hub.as(admin, 'users_IssuePasswordLink', { userId: lee.userId });
      const token = new URL(url).searchParams.get('jwt') ?? '';
      await hub.as(anonymous, 'users_SetPasswordByLink', { token, password });
    } else await hub.as(system, 'users_SetUserPassword', { userId: lee.userId, password });
    for (const ip of networks)
      expect(
        await hub.as(system, 'users_InitiateUserSession', { email, password, userAgent: '' }, { ip }),
      ).toMatchObject({ result: 'Created' });
  },
);

/** The sentence of the refusal of a sign-in with a wrong password, if it is throttled. */
async function failed(email: string, ip: string): Promise<string | undefined> {
  const input = { email, password: 'a wrong one 5', userAgent: '' };
  return hub.as(system, 'users_InitiateUserSession', input, { ip }).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

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
    using sent = vi.spyOn(DatabaseClient.prototype, 'query');
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
      message:
        'This password was changed too often, or the present one was wrong too often. Try again in 60 minutes.',
    },
  });
});
