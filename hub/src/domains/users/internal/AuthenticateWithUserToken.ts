import { ids, type Actor, type Id, type TokenVerb } from '@corral/contract';
import { hashSecret, isSecret, lookupKey } from '../../../auth/secret.ts';
import type { Internal } from '../../../calls/handler.ts';
import { isUseStale } from '../sql/accounts.ts';

const absentHash = hashSecret('');

type TokenAnswer =
  | { readonly result: 'Invalid' }
  | {
      readonly result: 'Authenticated';
      readonly userId: Id<'user'>;
      readonly actor: Extract<Actor, { actor: 'UserToken' }>;
      /** Whether the token may only read. */
      readonly isReadOnly: boolean;
      /** Whether the token is for certain projects or repositories only. */
      readonly isLimited: boolean;
      /** Absent for a token without. */
      readonly verbs?: readonly TokenVerb[];
      readonly expiresAt?: string;
    };

/** Authenticates a user token; its last use is written at most once a minute. */
export const AuthenticateWithUserToken: Internal<{ token: Id<'userToken'> }, TokenAnswer> = {
  name: 'users_AuthenticateWithUserToken',
  async run({ tx, input, now }) {
    const raw = ids.userToken.raw(input.token);
    const row = await tx
      .selectFrom('user_tokens')
      .innerJoin('users', 'users.user_id', 'user_tokens.user_id')
      .select(['user_tokens.user_id', 'secret_hash', 'last_used_at', 'user_tokens.expires_at'])
      .select(['is_read_only', 'project_ids', 'repository_ids', 'verbs'])
      .where('token_id', '=', lookupKey(raw))
      .where('disabled_at', 'is', null)
      .executeTakeFirst();
    if (!isSecret(raw, row?.secret_hash ?? absentHash) || row === undefined) return { result: 'Invalid' };
    if (row.expires_at !== null && Date.parse(row.expires_at) <= now.getTime()) return { result: 'Invalid' };
    if (isUseStale('token', row.last_used_at, now)) {
      await tx
        .updateTable('user_tokens')
        .set({ last_used_at: now })
        .where('token_id', '=', lookupKey(raw))
        .execute();
    }
    const userId = ids.user.of(row.user_id);
    const tokenId = ids.userTokenId.of(lookupKey(raw));
    return {
      result: 'Authenticated',
      userId,
      actor: { actor: 'UserToken', kind: 'UserToken', userId, tokenId },
      isReadOnly: row.is_read_only,
      isLimited: row.project_ids !== null || row.repository_ids !== null,
      ...(row.verbs === null ? {} : { verbs: row.verbs }),
      ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    };
  },
};
