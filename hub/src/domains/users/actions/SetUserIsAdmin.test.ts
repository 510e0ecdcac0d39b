import { expect, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';

test('an administrator makes another user an administrator, with one event', async () => {
  await using hub = await freshExecutor();
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const ann = await hub.user('ann@example.com');
  hub.emittedEvents.length = 0;
  await hub.as(admin, 'users_SetUserIsAdmin', { userId: ann.userId, isAdmin: true });
  await hub.as(admin, 'users_SetUserIsAdmin', { userId: ann.userId, isAdmin: true });
  expect((await hub.as(ann, 'users_QueryUsers', {})).users).toHaveLength(2);
  expect(hub.emittedEvents).toHaveLength(1);
  expect(hub.emittedEvents[0]).toMatchObject({
    name: 'users_SetIsAdmin',
    data: { userId: ann.userId, isAdmin: true },
  });
});

test('a user who is disabled loses the right with an event, and only then', async () => {
  await using hub = await freshExecutor();
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const { userId } = await hub.user('ann@example.com', { isAdmin: true });
  await hub.as(admin, 'users_SetUserIsDisabled', { userId, isDisabled: true });
  hub.emittedEvents.length = 0;
  await hub.as(admin, 'users_SetUserIsAdmin', { userId, isAdmin: true });
  expect(hub.emittedEvents).toHaveLength(0);
  await hub.as(admin, 'users_SetUserIsAdmin', { userId, isAdmin: false });
  await hub.as(admin, 'users_SetUserIsAdmin', { userId, isAdmin: false });
  expect(hub.emittedEvents.map(({ data }) => data)).toEqual([{ userId, isAdmin: false }]);
});

test('the last administrator stays one, even when two step down concurrently', async () => {
  await using hub = await freshExecutor();
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const ann = await hub.user('ann@example.com', { isAdmin: true });
  const outcomes = await Promise.allSettled(
    [admin, ann].map((actor) =>
      hub.as(actor, 'users_SetUserIsAdmin', { userId: actor.userId, isAdmin: false }),
    ),
  );
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { kind: 'Invalid', message: 'The last administrator must stay one.' },
  });
});
