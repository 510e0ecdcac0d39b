import type { Internal } from '../../../calls/handler.ts';
import { mustHaveBegun } from '../policy/second-factors.ts';
import { lockPendingSignIn } from '../sql/pending-sign-ins.ts';
import { beginEnrolment, type NewAuthenticator } from '../sql/second-factors.ts';

/** Makes the secret of an authenticator for a sign-in that waits for one; undefined when it has ended. */
export const BeginSignInEnrolment: Internal<{ pendingToken: string }, NewAuthenticator | undefined> = {
  name: 'users_BeginSignInEnrolment',
  isForAnonymous: true,

  async run({ tx, input, vault, now, origins }) {
    const pending = await lockPendingSignIn(tx, input.pendingToken, now);
    if (pending?.wants !== 'Enrolment') return undefined;
    const hubName = new URL(origins.console).hostname;
    return mustHaveBegun(await beginEnrolment({ tx, vault, now }, pending.user_id, hubName));
  },
};
