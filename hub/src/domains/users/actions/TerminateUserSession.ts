import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { sessionPrincipal, type SessionPrincipal } from '../policy/accounts.ts';
import { notFound } from '../../../auth/actors.ts';
import { ownedOrAdministered } from '../sql/accounts.ts';

/** Ends a session of the caller, or of anyone for administrators. */
export const TerminateUserSession: Handler<'users_TerminateUserSession', SessionPrincipal> = {
  authorize: ({ actor }) => sessionPrincipal(actor),

  async run({ tx, input, emit }, principal) {
    const ended = await tx
      .deleteFrom('user_sessions')
      .where('session_id', '=', ids.session.raw(input.sessionId))
      .where(ownedOrAdministered(principal))
      .returning('user_id')
      .executeTakeFirst();
    if (ended === undefined) throw notFound('Session');
    emit('users_SessionTerminated', { userId: ids.user.of(ended.user_id), sessionId: input.sessionId });
    return {};
  },
};
