import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustManageAccount } from '../../policy/accounts.ts';
import { liveSession } from '../../store/accounts.ts';

/** Lists the sessions of a user that are still good, newest first, and marks the one that the call came by. */
export const QueryUserSessions: Handler<'users_QueryUserSessions'> = {
  authorize: ({ tx, actor, input }) => mustManageAccount(tx, actor, input.userId),

  async run({ tx, input, origin, now }) {
    const rows = await tx
      .selectFrom('user_sessions')
      .select(['session_id', 'created_at', 'expires_at', 'user_agent', 'last_used_at'])
      .where('user_id', '=', ids.user.raw(input.userId))
      .where(liveSession(now))
      .orderBy('created_at', 'desc')
      .orderBy('session_id')
      .execute();
    const sessions = rows.map((row) => ({
      sessionId: ids.session.of(row.session_id),
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      userAgent: row.user_agent,
      isCurrent: row.session_id === origin.sessionId,
      lastUsedAt: row.last_used_at,
    }));
    return { sessions };
  },
};
