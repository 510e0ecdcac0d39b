import { ids, type Id } from '@corral/contract';
import { networkOf } from '../../../auth/network.ts';
import type { Identity } from '../../../auth/oidc/provider.ts';
import type { Internal } from '../../../calls/handler.ts';
import { confirms } from '../sql/user-identities.ts';
import { stepUpSession } from '../../users/index.ts';

interface Proof {
  /** As whom the user has just signed in at the provider, typing there what it takes. */
  readonly identity: Identity;
  readonly userId: Id<'user'>;
  readonly sessionId: Id<'session'>;
}

type SteppedUp =
  | {
      readonly result: 'SteppedUp';
      readonly sessionToken: Id<'sessionToken'>;
      readonly expiresInSecs: number;
      readonly validForSecs: number;
    }
  | { readonly result: 'Refused' };

/** Takes a sign-in at the provider as a new proof of who has a session, of users without a second factor, and gives the session a new token. */
export const StepUpByIdentity: Internal<Proof, SteppedUp> = {
  name: 'users_StepUpByIdentity',
  isRecorded: true,
  async run({ tx, input: { identity, userId, sessionId }, origin, now, emit }) {
    const actor = { actor: 'User', kind: 'User', userId } as const;
    const renewed = (await confirms(tx, ids.user.raw(userId), identity))
      ? await stepUpSession(tx, { sessionId: ids.session.raw(sessionId), method: 'provider', now })
      : undefined;
    if (renewed === undefined) {
      emit('users_SignInFailed', {
        userId,
        ...(origin.ip === undefined ? {} : { network: networkOf(origin.ip) }),
      });
      return { result: 'Refused' };
    }
    emit('users_SessionSteppedUp', { userId, sessionId, method: 'provider' }, actor);
    return { result: 'SteppedUp', ...renewed };
  },
};
