import { expect, test } from 'vitest';
import { freshExecutor } from '../../../test/fresh-executor.ts';

test('an administrator sees all users, ordered by address', async () => {
  await using hub = await freshExecutor();
  const zoe = await hub.user('zoe@example.com');
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  await hub.as(zoe, 'users_SetUserDisplayName', { userId: zoe.userId, displayName: 'Zoe' });
  expect(await hub.as(admin, 'users_QueryUsers', {})).toEqual({
    users: [
      { userId: admin.userId, email: 'admin@example.com', isAdmin: true },
      { userId: zoe.userId, email: 'zoe@example.com', displayName: 'Zoe', isAdmin: false },
    ],
  });
});
