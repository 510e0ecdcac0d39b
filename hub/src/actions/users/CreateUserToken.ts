import { ids } from '@corral/contract';
import { mustBeName } from '../../auth/names.ts';
import { newRawSecret } from '../../auth/random.ts';
import { hashSecret, lookupKey } from '../../auth/secret.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustManageAccount } from '../../policy/accounts.ts';

/** Creates an API token; only the hash of its secret is stored. */
export const CreateUserToken: Handler<'users_CreateUserToken'> = {
  authorize: ({ tx, actor, input }) => mustManageAccount(tx, actor, input.userId),

  async run({ tx, input, now, emit }) {
    const secret = newRawSecret();
    const name = input.name === undefined ? null : mustBeName(input.name, 'name');
    await tx
      .insertInto('user_tokens')
      .values({
        token_id: lookupKey(secret),
        secret_hash: hashSecret(secret),
        user_id: ids.user.raw(input.userId),
        name,
        created_at: now,
        last_used_at: null,
      })
      .execute();
    const tokenId = ids.userTokenId.of(lookupKey(secret));
    emit('users_TokenCreated', { userId: input.userId, tokenId });
    return { tokenId, token: ids.userToken.of(secret) };
  },
};
