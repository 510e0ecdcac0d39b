import { ActionError, ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { removeIdentity } from '../sql/user-identities.ts';
import { mustManageAccount, queueMail } from '../../users/index.ts';

/** Unlinks an identity, and tells the user by e-mail. The last way to sign in stays. */
export const UnlinkIdentity: Handler<'users_UnlinkIdentity'> = {
  async authorize(context) {
    await mustManageAccount(context.tx, context.actor, context.input.userId);
    mustBeSteppedUp(context);
  },

  async run({ tx, input, now, emit }) {
    const userId = ids.user.raw(input.userId);
    const result = await removeIdentity(tx, userId, input);
    if (result === 'Absent') throw notFound('Identity');
    if (result === 'Last')
      throw new ActionError(
        'Invalid',
        'This is the only way to sign in to this account. Set a password first.',
      );
    await queueMail(tx, { kind: 'IdentityUnlinked', userId, now });
    emit('users_IdentityUnlinked', { userId: input.userId });
    emit('mail_Queued', {});
    return {};
  },
};
