import type { PasskeyRequest } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { requestPasskey } from '../../passkeys/index.ts';
import { lockPendingSignIn } from '../sql/pending-sign-ins.ts';
import { readSecondFactors } from '../sql/second-factors.ts';

type SignInStep =
  | { readonly wants: 'Enrolment' }
  | {
      readonly wants: 'Factor';
      readonly hasAuthenticator: boolean;
      /** Undefined if the user has none that works here. */
      readonly passkey: PasskeyRequest | undefined;
    };

/** What a sign-in waits for, and with what it can go on; undefined when it has ended. */
export const ReadSignInStep: Internal<{ pendingToken: string }, SignInStep | undefined> = {
  name: 'users_ReadSignInStep',
  isQuery: true,
  isForAnonymous: true,

  async run(context) {
    const { tx, input, now } = context;
    const pending = await lockPendingSignIn(tx, input.pendingToken, now);
    if (pending === undefined) return undefined;
    if (pending.wants === 'Enrolment') return { wants: 'Enrolment' };
    const { pending_id: subject, user_id: userId } = pending;
    const factors = await readSecondFactors(tx, userId);
    return {
      wants: 'Factor',
      hasAuthenticator: (factors?.added_at ?? null) !== null,
      passkey: await requestPasskey(context, { purpose: 'factor', subject }, userId),
    };
  },
};
