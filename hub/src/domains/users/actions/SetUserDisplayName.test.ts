import { expect, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';
import { auditedStatuses, createUserToken } from '../../../../test/test-users.ts';

test('a user, its token and an administrator change the display name', async () => {
  await using hub = await freshExecutor();
  const ann = await hub.user('ann@example.com');
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const { userId } = ann;
  for (const [actor, name] of [
    [ann, 'Ann'],
    [await createUserToken(hub, ann), 'Anna'],
    [admin, 'Annabel'],
  ] as const) {
    expect(await hub.as(actor, 'users_SetUserDisplayName', { userId, displayName: ` ${name} ` })).toEqual({});
    expect(await hub.as(ann, 'users_GetUserDetails', { userId })).toMatchObject({ displayName: name });
    expect(hub.emittedEvents.at(-1)).toMatchObject({
      name: 'users_DisplayNameChanged',
      actor,
      data: { userId, displayName: name },
    });
  }
  expect(await auditedStatuses(hub, 'users_SetUserDisplayName')).toEqual([
    'Succeeded',
    'Succeeded',
    'Succeeded',
  ]);
});

test('a blank name is refused and the old one stays', async () => {
  await using hub = await freshExecutor();
  const ann = await hub.user('ann@example.com');
  const { userId } = ann;
  await hub.as(ann, 'users_SetUserDisplayName', { userId, displayName: 'Ann' });
  expect(await hub.refusal(ann, 'users_SetUserDisplayName', { userId, displayName: ' \t' })).toEqual({
    kind: 'Invalid',
    message: 'Display name must not be empty.',
  });
  expect(await hub.as(ann, 'users_GetUserDetails', { userId })).toMatchObject({ displayName: 'Ann' });
});
