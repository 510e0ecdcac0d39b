import { expect, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';
import { validPassword, signIn } from '../../../../test/test-users.ts';

test("live sessions are listed newest first, with the caller's marked", async () => {
  await using hub = await freshExecutor();
  const ann = await hub.user('ann@example.com', { password: validPassword });
  await signIn(hub, 'ann@example.com', validPassword, { validForSecs: 60 });
  hub.advance(60);
  const old = await signIn(hub, 'ann@example.com', validPassword, { userAgent: 'Old' });
  hub.advance(1);
  const current = await signIn(hub, 'ann@example.com', validPassword, { userAgent: 'x'.repeat(5000) });
  const origin = { sessionId: current.sessionId.slice('u_session_pk_'.length) };
  const { sessions } = await hub.as(ann, 'users_QueryUserSessions', { userId: ann.userId }, origin);
  expect(sessions).toMatchObject([
    { sessionId: current.sessionId, isCurrent: true, userAgent: 'x'.repeat(1000) },
    { sessionId: old.sessionId, isCurrent: false, userAgent: 'Old' },
  ]);
  const { createdAt = '', expiresAt = '' } = sessions[0] ?? {};
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(86_400_000);
});
