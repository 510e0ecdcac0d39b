import { ids } from '@corral/contract';
import { mustHaveSession } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustHaveBegun } from '../policy/second-factors.ts';
import { beginEnrolment } from '../sql/second-factors.ts';

/** Makes the secret of an authenticator; nothing changes until its first code is confirmed. */
export const BeginAuthenticatorEnrolment: Handler<'users_BeginAuthenticatorEnrolment', string> = {
  authorize(context) {
    const { userId } = mustHaveSession(context.actor);
    mustBeSteppedUp(context);
    return ids.user.raw(userId);
  },

  async run({ tx, vault, now, origins }, userId) {
    return mustHaveBegun(await beginEnrolment({ tx, vault, now }, userId, new URL(origins.console).hostname));
  },
};
