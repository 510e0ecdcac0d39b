import { ids } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { queueMail } from '../sql/mail-queue.ts';
import { homeOf, tokenRecipients } from '../sql/service-accounts.ts';
import { claimExpiringTokens, deleteExpiredTokens } from '../sql/user-tokens.ts';

/** Sends an e-mail about each token that expires within a week, and deletes those that expired a month ago. */
export const AnnounceExpiringTokens: Internal<void, void> = {
  name: 'users_AnnounceExpiringTokens',
  async run({ tx, now, emit }) {
    const expiring = await claimExpiringTokens(tx, now);
    for (const { token_id: tokenId, user_id: ofUser } of expiring)
      for (const userId of await tokenRecipients(tx, ofUser))
        await queueMail(tx, { kind: 'TokenExpiring', userId, tokenId, now });
    if (expiring.length > 0) emit('mail_Queued', {});
    for (const { token_id: tokenId, user_id: userId, name } of await deleteExpiredTokens(tx, now))
      emit('users_TokenDeleted', {
        userId: ids.user.of(userId),
        tokenId: ids.userTokenId.of(tokenId),
        ...(name === null ? {} : { name }),
        ...(await homeOf(tx, userId)),
      });
  },
};
