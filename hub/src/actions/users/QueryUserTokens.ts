import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustManageAccount } from '../../policy/accounts.ts';

/** Lists the API tokens of a user, newest first. */
export const QueryUserTokens: Handler<'users_QueryUserTokens'> = {
  authorize: ({ tx, actor, input }) => mustManageAccount(tx, actor, input.userId),

  async run({ tx, input }) {
    const rows = await tx
      .selectFrom('user_tokens')
      .select(['token_id', 'created_at', 'name', 'last_used_at'])
      .where('user_id', '=', ids.user.raw(input.userId))
      .orderBy('created_at', 'desc')
      .orderBy('token_id')
      .execute();
    const tokens = rows.map((row) => ({
      tokenId: ids.userTokenId.of(row.token_id),
      createdAt: row.created_at,
      ...(row.name === null ? {} : { name: row.name }),
      ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    }));
    return { tokens };
  },
};
