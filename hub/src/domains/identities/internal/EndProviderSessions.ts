import { ids } from '@corral/contract';
import { longestLogoutSecs, type ProviderLogout } from '../../../auth/oidc/provider.ts';
import type { Internal } from '../../../calls/handler.ts';
import { endProviderSessions, useLogoutToken } from '../sql/provider-sessions.ts';

/** Ends the sessions that began in a session of the provider that has ended. A logout token counts once, on all hubs together. */
export const EndProviderSessions: Internal<ProviderLogout, { readonly result: 'Ended' | 'Used' }> = {
  name: 'users_EndProviderSessions',
  isRecorded: true,
  async run({ tx, input, now, emit }) {
    // Beyond the age at which a token is refused anyway, on a clock that is a minute late.
    const expiresAt = new Date(input.issuedAt.getTime() + (longestLogoutSecs + 120) * 1000);
    if (!(await useLogoutToken(tx, input, expiresAt, now))) return { result: 'Used' };
    for (const { user_id: userId, session_id: sessionId } of await endProviderSessions(tx, input))
      emit('users_SessionTerminated', { userId: ids.user.of(userId), sessionId: ids.session.of(sessionId) });
    return { result: 'Ended' };
  },
};
