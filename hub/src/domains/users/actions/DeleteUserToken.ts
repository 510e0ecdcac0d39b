import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { sessionPrincipal, type SessionPrincipal } from '../policy/accounts.ts';
import { notFound } from '../../../auth/actors.ts';
import { ownedOrAdministered } from '../sql/accounts.ts';
import { homeOf, isManagedBy } from '../sql/service-accounts.ts';

/** Deletes an API token of the caller, or of anyone for administrators; a token may delete itself. */
export const DeleteUserToken: Handler<'users_DeleteUserToken', SessionPrincipal> = {
  authorize({ actor, input }) {
    if (actor.actor === 'UserToken' && actor.tokenId === input.tokenId)
      return { userId: ids.user.raw(actor.userId), isSystem: false };
    return sessionPrincipal(actor);
  },

  async run({ tx, input, emit }, principal) {
    const deleted = await tx
      .deleteFrom('user_tokens')
      .where('token_id', '=', ids.userTokenId.raw(input.tokenId))
      .where(
        sql<boolean>`(${ownedOrAdministered(principal)} or ${isManagedBy(principal, sql`user_tokens.user_id`)})`,
      )
      .returning(['user_id', 'name'])
      .executeTakeFirst();
    if (deleted === undefined) throw notFound('Token');
    const named = deleted.name === null ? {} : { name: deleted.name };
    const home = await homeOf(tx, deleted.user_id);
    emit('users_TokenDeleted', {
      userId: ids.user.of(deleted.user_id),
      tokenId: input.tokenId,
      ...named,
      ...home,
    });
    if (Object.keys(home).length > 0) emit('users_ServiceAccountTokensChanged', home);
    return {};
  },
};
