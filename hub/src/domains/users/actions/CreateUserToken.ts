import { ActionError, ids } from '@corral/contract';
import { mustBeName } from '../../../auth/names.ts';
import { lookupKey } from '../../../auth/secret.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { amounts } from '../../../limits/amounts.ts';
import { mustManageTokens } from '../policy/token-owners.ts';
import { homeOf } from '../sql/service-accounts.ts';
import { isAdministrator } from '../policy/actors.ts';
import { mayManage, mustBeValidTokenBounds } from '../policy/new-token.ts';
import { queueMail } from '../sql/mail-queue.ts';
import { addUserToken } from '../sql/user-tokens.ts';

/** Creates an API token; only the hash of its secret is stored. */
export const CreateUserToken: Handler<'users_CreateUserToken'> = {
  async authorize(context) {
    await mustManageTokens(context.tx, context.actor, context.input.userId);
    if (mayManage(context.input)) mustBeSteppedUp(context);
  },

  async run({ tx, actor, input, now, emit }) {
    const userId = ids.user.raw(input.userId);
    await mustBeNoPublisher(tx, userId);
    const name = input.name === undefined ? null : mustBeName(input.name, 'name');
    const isByAdministrator = input.administrator === true && (await isAdministrator(tx, actor));
    const bounds = await mustBeValidTokenBounds(tx, { userId, isByAdministrator, now }, input);
    const secret = await addUserToken(tx, userId, name, bounds, now);
    if (secret === undefined)
      throw new ActionError(
        'Invalid',
        `A user may have at most ${amounts.userTokens.max} tokens. Delete some first.`,
      );
    const tokenId = ids.userTokenId.of(lookupKey(secret));
    const home = await homeOf(tx, userId);
    const isOfService = Object.keys(home).length > 0;
    if (!isOfService) {
      await queueMail(tx, { kind: 'TokenCreated', userId, now });
      emit('mail_Queued', {});
    }
    emit('users_TokenCreated', { userId: input.userId, tokenId, ...home });
    if (isOfService) emit('users_ServiceAccountTokensChanged', home);
    return { tokenId, token: ids.userToken.of(secret), expiresAt: bounds.expires_at.toISOString() };
  },
};

/** A token of a publisher is good for one job and for what that makes. */
async function mustBeNoPublisher(tx: Database, userId: string): Promise<void> {
  const publisher = await tx
    .selectFrom('publishers')
    .select('publisher_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (publisher !== undefined)
    throw new ActionError('Invalid', 'Only jobs of its CI get tokens of a publisher.');
}
