import { ids } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { auditedStatuses, signIn, trySignIn, validPassword } from '../../../../test/test-users.ts';
import { AuthenticateWithSessionToken } from '../internal/AuthenticateWithSessionToken.ts';
import { AuthenticateWithUserToken } from '../internal/AuthenticateWithUserToken.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

let count = 0;
const newUser = (more: { isAdmin?: boolean; password?: string } = {}) =>
  hub.user(`user-${(count += 1)}@example.com`, more);

test('a disabled user has no sessions, cannot sign in, and its tokens are rejected until it is enabled', async () => {
  const admin = await newUser({ isAdmin: true });
  const ann = await hub.user('ann@example.com', { password: validPassword });
  const { userId } = ann;
  const { sessionId, sessionToken } = await signIn(hub, 'ann@example.com', validPassword);
  const { token } = await hub.as(ann, 'users_CreateUserToken', { userId });
  hub.emittedEvents.length = 0;
  await hub.as(admin, 'users_SetUserIsDisabled', { userId, isDisabled: true });
  await hub.as(admin, 'users_SetUserIsDisabled', { userId, isDisabled: true });
  expect(hub.emittedEvents.map(({ name, data }) => [name, data])).toEqual([
    ['users_SetIsDisabled', { userId, isDisabled: true }],
    ['users_SessionTerminated', { userId, sessionId }],
  ]);
  const bySession = () => hub.run(AuthenticateWithSessionToken, { token: sessionToken });
  const byToken = () => hub.run(AuthenticateWithUserToken, { token });
  expect([await bySession(), await byToken()]).toEqual([{ result: 'Invalid' }, { result: 'Invalid' }]);
  expect(await trySignIn(hub, 'ann@example.com', validPassword)).toEqual({ result: 'InvalidCredentials' });
  expect((await hub.as(admin, 'users_GetUserDetails', { userId })).isDisabled).toBe(true);
  await hub.as(admin, 'users_SetUserIsDisabled', { userId, isDisabled: false });
  expect(await byToken()).toMatchObject({ result: 'Authenticated' });
  await signIn(hub, 'ann@example.com', validPassword);
  expect((await auditedStatuses(hub, 'users_SetUserIsDisabled')).at(-1)).toBe('Succeeded');
});

test('a sign-in that has begun ends with the others', async () => {
  const admin = await newUser({ isAdmin: true });
  const bea = await hub.user('bea@example.com', { password: validPassword });
  await Promise.all([
    ...Array.from({ length: 4 }, () => trySignIn(hub, 'bea@example.com', validPassword)),
    hub.as(admin, 'users_SetUserIsDisabled', { userId: bea.userId, isDisabled: true }),
  ]);
  const left = await hub.database.db
    .selectFrom('user_sessions')
    .select('session_id')
    .where('user_id', '=', ids.user.raw(bea.userId))
    .execute();
  expect(left).toEqual([]);
});

test('a disabled administrator is none, and the last one can be neither disabled, demoted nor deleted', async () => {
  await hub.database.db.updateTable('users').set({ is_admin: false }).execute();
  const [one, two] = [await newUser({ isAdmin: true }), await newUser({ isAdmin: true })];
  await hub.as(one, 'users_SetUserIsDisabled', { userId: two.userId, isDisabled: true });
  expect((await hub.refusal(two, 'users_QueryUsers', {})).kind).toBe('Forbidden');
  const { userId } = one;
  const refusals = [
    await hub.refusal(one, 'users_SetUserIsAdmin', { userId, isAdmin: false }),
    await hub.refusal(one, 'users_DeleteUser', { userId }),
    await hub.refusal(system, 'users_SetUserIsDisabled', { userId, isDisabled: true }),
    await hub.refusal(one, 'users_SetUserIsDisabled', { userId, isDisabled: true }),
  ];
  expect(refusals.map(({ message }) => message)).toEqual([
    'The last administrator must stay one.',
    'The last administrator cannot be deleted.',
    'The last administrator cannot be disabled.',
    'You cannot disable your own account. Another administrator can do it.',
  ]);
});

test('one of two administrators who disable, demote or delete each other at once stays', async () => {
  await hub.database.db.updateTable('users').set({ is_admin: false }).execute();
  const ways = [
    ['users_SetUserIsDisabled', { isDisabled: true }],
    ['users_SetUserIsAdmin', { isAdmin: false }],
    ['users_DeleteUser', {}],
  ] as const;
  for (const [first, ofFirst] of ways)
    for (const [second, ofSecond] of ways) {
      await hub.database.db.updateTable('users').set({ is_admin: false }).execute();
      const [one, two] = [await newUser({ isAdmin: true }), await newUser({ isAdmin: true })];
      const outcomes = await Promise.allSettled([
        hub.as(one, first, { ...ofFirst, userId: two.userId } as never),
        hub.as(two, second, { ...ofSecond, userId: one.userId } as never),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
});
