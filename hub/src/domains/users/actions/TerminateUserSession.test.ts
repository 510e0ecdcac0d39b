import { expect, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';
import { auditedStatuses, validPassword, signIn } from '../../../../test/test-users.ts';
import { AuthenticateWithSessionToken } from '../internal/AuthenticateWithSessionToken.ts';

test("an ended session is invalid; an administrator may end any user's session", async () => {
  await using hub = await freshExecutor();
  const ann = await hub.user('ann@example.com', { password: validPassword });
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const { userId } = ann;
  for (const actor of [ann, admin]) {
    const { sessionId, sessionToken } = await signIn(hub, 'ann@example.com', validPassword);
    expect(await hub.as(actor, 'users_TerminateUserSession', { sessionId })).toEqual({});
    expect(hub.emittedEvents.at(-1)).toMatchObject({
      name: 'users_SessionTerminated',
      actor,
      data: { userId, sessionId },
    });
    const token = sessionToken;
    expect(await hub.run(AuthenticateWithSessionToken, { token })).toEqual({
      result: 'Invalid',
    });
  }
  expect(await auditedStatuses(hub, 'users_TerminateUserSession')).toEqual(['Succeeded', 'Succeeded']);
});
