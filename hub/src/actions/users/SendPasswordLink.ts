import { ActionError, ids } from '@corral/contract';
import { passwordLinkLimits } from '../../auth/request-limits.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustBeAdministrator, notFound } from '../../policy/actors.ts';
import { instanceKey } from '../../store/instance-keys.ts';
import { sendPasswordLink } from '../../store/password-links.ts';
import { countRequest } from '../../store/request-limits.ts';

/** Mails a user a link to set a password. The current password stays valid until then. */
export const SendPasswordLink: Handler<'users_SendPasswordLink'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input, now, emit, vault }) {
    const rawId = ids.user.raw(input.userId);
    const user = await tx
      .selectFrom('users')
      .select('disabled_at')
      .where('user_id', '=', rawId)
      .forUpdate()
      .executeTakeFirst();
    if (user === undefined) throw notFound('User');
    if (user.disabled_at !== null) {
      throw new ActionError('Invalid', 'This user is disabled. Enable the user first.');
    }
    const key = await instanceKey({ tx, now, vault }, 'request-limits');
    await countRequest(tx, passwordLinkLimits(key, rawId), now);
    const expiresAt = await sendPasswordLink(tx, rawId, now);
    emit('users_PasswordLinkSent', { userId: input.userId });
    emit('mail_Queued', {});
    return { expiresAt: expiresAt.toISOString() };
  },
};
