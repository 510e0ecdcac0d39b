import { ids, type AuthenticationMethod } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustManageAccount } from '../policy/accounts.ts';
import { liveSession } from '../sql/accounts.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';

interface Row {
  readonly session_id: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly user_agent: string;
  readonly last_used_at: string;
  readonly methods: AuthenticationMethod[];
  readonly authenticated_at: string;
  readonly stepped_up_at: string | null;
  readonly address: string | null;
}

const newestFirst = listOrder<Row>('users_QueryUserSessions', 'desc', [
  sortKey('created_at', 'timestamptz'),
  sortKey('session_id', 'text'),
]);

/** Lists the unexpired sessions of a user, newest first, and marks the current one. */
export const QueryUserSessions: Handler<'users_QueryUserSessions'> = {
  authorize: ({ tx, actor, input }) => mustManageAccount(tx, actor, input.userId),

  async run({ tx, input, origin, now }) {
    const userId = ids.user.raw(input.userId);
    const { items, more } = await readPage(newestFirst, input, {
      scope: userId,
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select session_id, created_at, expires_at, user_agent, last_used_at, methods, address,
            coalesce(authenticated_at, created_at) as authenticated_at, stepped_up_at
          from user_sessions
          where user_id = ${userId} and ${liveSession(now)} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: (row) => toOutput(row, origin.sessionId),
    });
    return { sessions: items, ...more };
  },
};

function toOutput(row: Row, currentSessionId: string | undefined) {
  return {
    sessionId: ids.session.of(row.session_id),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    userAgent: row.user_agent,
    isCurrent: row.session_id === currentSessionId,
    lastUsedAt: row.last_used_at,
    methods: row.methods,
    authenticatedAt: row.authenticated_at,
    ...(row.stepped_up_at === null ? {} : { steppedUpAt: row.stepped_up_at }),
    ...(row.address === null ? {} : { address: row.address }),
  };
}
