import type { CallInput } from '@corral/contract';
import { expect, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';

const added = { isDisabled: false, hasPassword: false, createdAt: '2026-11-20T12:00:00Z' };

test('an administrator sees all users, ordered by address', async () => {
  await using hub = await freshExecutor();
  const zoe = await hub.user('zoe@example.com');
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  await hub.as(zoe, 'users_SetUserDisplayName', { userId: zoe.userId, displayName: 'Zoe' });
  expect(await hub.as(admin, 'users_QueryUsers', {})).toEqual({
    users: [
      { userId: admin.userId, email: 'admin@example.com', isAdmin: true, ...added },
      { userId: zoe.userId, email: 'zoe@example.com', displayName: 'Zoe', isAdmin: false, ...added },
    ],
  });
});

test('users are found by parts of address, name and id, by right and by state, and counted', async () => {
  await using hub = await freshExecutor();
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const zoe = await hub.user('zoe_one@example.com');
  const ann = await hub.user('ann@example.org');
  await hub.as(zoe, 'users_SetUserDisplayName', { userId: zoe.userId, displayName: 'Zoë 100%' });
  await hub.as(admin, 'users_SetUserIsDisabled', { userId: ann.userId, isDisabled: true });
  const found = async (filter: CallInput<'users_QueryUsers'>) =>
    (await hub.as(admin, 'users_QueryUsers', filter)).users.map(({ userId }) => userId);
  expect(await found({ search: ' EXAMPLE.com ' })).toEqual([admin.userId, zoe.userId]);
  expect(await found({ search: 'zoë' })).toEqual([zoe.userId]);
  expect(await found({ search: '0%' })).toEqual([zoe.userId]);
  expect(await found({ search: 'e_o' })).toEqual([zoe.userId]);
  expect(await found({ search: '%' })).toEqual([zoe.userId]);
  expect(await found({ search: ann.userId })).toEqual([ann.userId]);
  expect(await found({ isAdmin: true })).toEqual([admin.userId]);
  expect(await found({ isDisabled: true })).toEqual([ann.userId]);
  expect(await found({ isAdmin: false, isDisabled: false, search: 'example' })).toEqual([zoe.userId]);
  expect(await hub.as(admin, 'users_CountUsers', {})).toEqual({ users: 3, administrators: 1, disabled: 1 });
  const { next } = await hub.as(admin, 'users_QueryUsers', { limit: 1 });
  const elsewhere = { search: 'ann', after: next };
  expect((await hub.refusal(admin, 'users_QueryUsers', elsewhere)).kind).toBe('Invalid');
});
