import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { sessionPrincipal, type SessionPrincipal } from '../policy/accounts.ts';
import { notFound } from '../../../auth/actors.ts';
import { ownedOrAdministered } from '../sql/accounts.ts';

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
      .where(ownedOrAdministered(principal))
      .returning(['user_id', 'name'])
      .executeTakeFirst();
    if (deleted === undefined) throw notFound('Token');
    const named = deleted.name === null ? {} : { name: deleted.name };
    emit('users_TokenDeleted', { userId: ids.user.of(deleted.user_id), tokenId: input.tokenId, ...named });
    return {};
  },
};
