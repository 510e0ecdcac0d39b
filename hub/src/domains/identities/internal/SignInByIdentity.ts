import { ids, type Id } from '@corral/contract';
import type { Identity } from '../../../auth/oidc/provider.ts';
import type { Internal } from '../../../calls/handler.ts';
import { noteSignIn } from '../sql/user-identities.ts';
import { beginSession, emitSessionEvents, failedSignIn } from '../../users/index.ts';

interface Attempt {
  /** Undefined: the answer of the provider could not be verified. */
  readonly identity: Identity | undefined;
  readonly userAgent: string;
}

type SignInAnswer =
  | { readonly result: 'Refused' }
  | { readonly result: 'Created'; readonly userId: Id<'user'>; readonly sessionToken: Id<'sessionToken'> }
  | {
      readonly result: 'FactorWanted' | 'EnrolmentWanted';
      readonly pendingToken: Id<'pendingSignIn'>;
    };

const validForSecs = 24 * 3600;

/** Starts a session for the user to whom an identity is linked; never by its e-mail address, which may be another's. */
export const SignInByIdentity: Internal<Attempt, SignInAnswer> = {
  name: 'users_SignInByIdentity',
  isRecorded: true,
  isForAnonymous: true,
  async run({ tx, input: { identity, userAgent }, origin, now, emit }) {
    const rawUserId = identity && (await noteSignIn(tx, identity, now));
    const begun =
      rawUserId === undefined
        ? undefined
        : await beginSession(tx, {
            userId: rawUserId,
            methods: ['provider'],
            userAgent,
            address: origin.ip,
            validForSecs,
            identity,
            now,
          });
    const userId = rawUserId === undefined ? undefined : ids.user.of(rawUserId);
    if (userId === undefined || begun === undefined) {
      emit('users_SignInFailed', failedSignIn(origin, { userId, method: 'provider', userAgent }));
      return { result: 'Refused' };
    }
    if (begun.result !== 'Finished') return begun;
    emitSessionEvents(emit, userId, begun);
    return { result: 'Created', userId, sessionToken: begun.sessionToken };
  },
};
