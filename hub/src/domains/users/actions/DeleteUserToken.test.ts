import { expect, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';
import { auditedStatuses } from '../../../../test/test-users.ts';
import { AuthenticateWithUserToken } from '../internal/AuthenticateWithUserToken.ts';

test("a deleted token is anonymous; an administrator may delete any user's token", async () => {
  await using hub = await freshExecutor();
  const ann = await hub.user('ann@example.com');
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const { userId } = ann;
  for (const actor of [ann, admin]) {
    const { token, tokenId } = await hub.as(ann, 'users_CreateUserToken', { userId, name: 'CI' });
    expect(await hub.as(actor, 'users_DeleteUserToken', { tokenId })).toEqual({});
    expect(hub.emittedEvents.at(-1)).toMatchObject({
      name: 'users_TokenDeleted',
      actor,
      data: { userId, tokenId, name: 'CI' },
    });
    expect(await hub.run(AuthenticateWithUserToken, { token })).toEqual({ result: 'Invalid' });
    expect((await hub.refusal(actor, 'users_DeleteUserToken', { tokenId })).message).toBe('Token not found.');
  }
  expect(await auditedStatuses(hub, 'users_DeleteUserToken')).toEqual([
    'Succeeded',
    'Failed',
    'Succeeded',
    'Failed',
  ]);
});
