import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import {
  auditText,
  auditedStatuses,
  validPassword,
  userRowsText,
  signIn,
  trySignIn,
} from '../../../../test/test-users.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

test('an administrator creates a user who can sign in immediately', async () => {
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const created = await hub.as(admin, 'users_CreateUser', {
    email: '  Ann@Example.COM ',
    displayName: ' Ann ',
    password: validPassword,
  });
  if (created.result !== 'Created') throw new Error('not created');
  const { userId } = created;
  expect(await hub.as(admin, 'users_GetUserDetails', { userId })).toEqual({
    userId,
    email: 'ann@example.com',
    displayName: 'Ann',
    isAdmin: false,
  });
  expect((await signIn(hub, 'ANN@example.com ', validPassword)).userId).toBe(userId);
  expect(hub.emittedEvents).toContainEqual(
    expect.objectContaining({
      name: 'users_Created',
      actor: admin,
      data: { userId, email: 'ann@example.com' },
    }),
  );
  expect(await auditText(hub)).not.toContain(validPassword);
});

test('an address belongs to one user, regardless of case', async () => {
  await hub.user('bea@example.com');
  const before = await userRowsText(hub);
  const count = hub.emittedEvents.length;
  expect(await hub.as(system, 'users_CreateUser', { email: 'BEA@example.com' })).toEqual({
    result: 'EmailAlreadyExists',
  });
  expect(await userRowsText(hub)).toBe(before);
  expect(hub.emittedEvents.length).toBe(count);
});

test('a user without a password cannot sign in', async () => {
  await hub.user('cas@example.com');
  expect(await trySignIn(hub, 'cas@example.com', '')).toEqual({ result: 'InvalidCredentials' });
});

test.each([
  [{ email: 'nobody' }, 'Please enter a valid email address.'],
  [{ email: 'a b@example.com' }, 'Please enter a valid email address.'],
  [{ email: '' }, 'Please enter a valid email address.'],
  [{ email: `${'a'.repeat(250)}@b.example` }, 'Please enter a valid email address.'],
  [{ email: 'd@example.com', password: 'sevenis' }, 'Password must be at least 8 characters long.'],
  [
    { email: 'd@example.com', displayName: 'x'.repeat(201) },
    'Display name must be at most 200 characters long.',
  ],
])('%j is refused and creates nobody', async (input, message) => {
  const before = await userRowsText(hub);
  expect(await hub.refusal(system, 'users_CreateUser', input)).toEqual({ kind: 'Invalid', message });
  expect(await userRowsText(hub)).toBe(before);
  expect((await auditedStatuses(hub, 'users_CreateUser')).at(-1)).toBe('Failed');
});

test('a display name of blanks counts as none', async () => {
  const created = await hub.as(system, 'users_CreateUser', { email: 'eve@example.com', displayName: '  ' });
  if (created.result !== 'Created') throw new Error('not created');
  const details = await hub.as(system, 'users_GetUserDetails', { userId: created.userId });
  expect(details).not.toHaveProperty('displayName');
});
