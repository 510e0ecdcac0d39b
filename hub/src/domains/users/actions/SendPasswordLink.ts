import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeSelfOrAdministrator } from '../policy/actors.ts';
import { mustGetPasswordLink } from '../policy/password-links.ts';
import { sendPasswordLink } from '../sql/password-links.ts';

/** Mails a user a link to set a password. The current password stays valid until then. */
export const SendPasswordLink: Handler<'users_SendPasswordLink'> = {
  authorize: ({ tx, actor, input }) => mustBeSelfOrAdministrator(tx, actor, input.userId),

  async run({ tx, input, now, emit, vault }) {
    const rawId = ids.user.raw(input.userId);
    await mustGetPasswordLink({ tx, now, vault }, rawId);
    const expiresAt = await sendPasswordLink(tx, rawId, now);
    emit('users_PasswordLinkSent', { userId: input.userId });
    emit('mail_Queued', {});
    return { expiresAt: expiresAt.toISOString() };
  },
};
