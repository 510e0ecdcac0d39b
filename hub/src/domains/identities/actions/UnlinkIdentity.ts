import { ActionError, ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { endSessionsOfIdentity } from '../sql/provider-sessions.ts';
import { removeIdentity } from '../sql/user-identities.ts';
import { mustManageAccount, queueMail } from '../../users/index.ts';

/** Unlinks an identity, ends the other sessions that it opened, and tells the user by e-mail. The last way to sign in stays. */
export const UnlinkIdentity: Handler<'users_UnlinkIdentity'> = {
  async authorize(context) {
    await mustManageAccount(context.tx, context.actor, context.input.userId);
    mustBeSteppedUp(context);
  },

  async run({ tx, input, origin, now, emit, origins }) {
    const userId = ids.user.raw(input.userId);
    const result = await removeIdentity(tx, userId, input, origins.passkeys?.rpId);
    if (result === 'Absent') throw notFound('Identity');
    if (result === 'Last')
      throw new ActionError(
        'Invalid',
        'This is the only way to sign in to this account. Set a password or add a passkey first.',
      );
    const ended = await endSessionsOfIdentity(tx, userId, input, origin.sessionId);
    await queueMail(tx, { kind: 'IdentityUnlinked', userId, now });
    emit('users_IdentityUnlinked', { userId: input.userId });
    for (const sessionId of ended)
      emit('users_SessionTerminated', { userId: input.userId, sessionId: ids.session.of(sessionId) });
    emit('mail_Queued', {});
    return {};
  },
};
