import { expect, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';
import { validPassword, signIn, trySignIn } from '../../../../test/test-users.ts';
import { CleanupExpiredUserSessions } from '../internal/CleanupExpiredUserSessions.ts';

test('expired and orphaned rows are deleted, all others stay', async () => {
  await using hub = await freshExecutor();
  const { db } = hub.database;
  await hub.user('ann@example.com', { password: validPassword });
  await trySignIn(hub, 'ann@example.com', 'wrong password');
  await signIn(hub, 'ann@example.com', validPassword, { validForSecs: 60 });
  const stays = await signIn(hub, 'ann@example.com', validPassword, { validForSecs: 30 * 86_400 });
  await trySignIn(hub, 'bea@example.com', 'wrong password');
  hub.advance(86_401);
  await hub.run(CleanupExpiredUserSessions);
  const sessions = await db.selectFrom('user_sessions').select('session_id').execute();
  expect(sessions.map((row) => row.session_id)).toEqual([stays.sessionId.slice('u_session_pk_'.length)]);
  const counters = await db.selectFrom('sign_in_failures').select('failures').execute();
  expect(counters).toEqual([{ failures: 0 }]);
});
