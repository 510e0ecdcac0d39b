import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustManageTokens } from '../policy/token-owners.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { type TokenBoundsRow, tokenBoundsOf } from '../sql/user-tokens.ts';

interface Row extends TokenBoundsRow {
  readonly token_id: string;
  readonly created_at: string;
  readonly name: string | null;
  readonly last_used_at: string | null;
}

const newestFirst = listOrder<Row>('users_QueryUserTokens', 'desc', [
  sortKey('created_at', 'timestamptz'),
  sortKey('token_id', 'text'),
]);

/** Lists the API tokens of a user, newest first. */
export const QueryUserTokens: Handler<'users_QueryUserTokens'> = {
  authorize: ({ tx, actor, input }) => mustManageTokens(tx, actor, input.userId),

  async run({ tx, input }) {
    const userId = ids.user.raw(input.userId);
    const { items, more } = await readPage(newestFirst, input, {
      scope: userId,
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select token_id, created_at, name, last_used_at, is_read_only, project_ids, repository_ids, is_administrator, verbs, expires_at
          from user_tokens
          where user_id = ${userId} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: toOutput,
    });
    return { tokens: items, ...more };
  },
};

function toOutput(row: Row) {
  return {
    tokenId: ids.userTokenId.of(row.token_id),
    createdAt: row.created_at,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    ...tokenBoundsOf(row),
  };
}
