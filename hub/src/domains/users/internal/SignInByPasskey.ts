import { ActionError, type Id, ids, type PasskeyAssertion } from '@corral/contract';
import { signInAttempt } from '../../../auth/sign-in-limits.ts';
import type { CallContext, Internal } from '../../../calls/handler.ts';
import { instanceKey } from '../../instance/index.ts';
import { checkPasskey } from '../../passkeys/index.ts';
import { failedSignIn } from '../policy/failed-sign-in.ts';
import { countRequest } from '../sql/request-limits.ts';
import { beginSession, emitSessionEvents } from '../sql/sessions.ts';

interface Attempt {
  readonly assertion: PasskeyAssertion;
  readonly userAgent: string;
  readonly validForSecs: number;
}

type SignInAnswer =
  | { readonly result: 'Refused' }
  | { readonly result: 'Created'; readonly userId: Id<'user'>; readonly sessionToken: Id<'sessionToken'> };

/** Starts a session for the owner of a passkey, who was verified where it was used: no password and no further factor are asked for. */
export const SignInByPasskey: Internal<Attempt, SignInAnswer> = {
  name: 'users_SignInByPasskey',
  isRecorded: true,
  isForAnonymous: true,

  async run(context) {
    const { tx, input, origin, now, emit } = context;
    const check = await checkPasskey(context, { purpose: 'signIn', subject: '' }, input.assertion);
    // Thrown, so that strangers with keys of their own, or with made up answers of those of others, fill no log.
    if (check.result === 'Unknown')
      throw new ActionError('Invalid', 'This hub does not know this passkey. Sign in with your password.');
    if (check.result === 'Wrong')
      throw new ActionError('Invalid', 'This passkey was not accepted. Try again.');
    const userId = ids.user.of(check.userId);
    const refuse = (): SignInAnswer => {
      const { userAgent } = input;
      emit('users_SignInFailed', failedSignIn(origin, { userId, method: 'passkey', userAgent }));
      return { result: 'Refused' };
    };
    await countSignIn(context, check.userId);
    if (check.isBackwards) emit('users_PasskeyCounterWentBack', { userId, name: check.name });
    const begun = await beginSession(tx, {
      userId: check.userId,
      methods: ['passkey'],
      userAgent: input.userAgent,
      address: origin.ip,
      validForSecs: input.validForSecs,
      now,
    });
    if (begun?.result !== 'Finished') return refuse();
    emitSessionEvents(emit, userId, begun);
    return { result: 'Created', userId, sessionToken: begun.sessionToken };
  },
};

/** Counts it as one with the right password: each leaves a session and rows in the audit log. */
async function countSignIn(context: CallContext<Attempt>, rawUserId: string): Promise<void> {
  const { tx, origin, now } = context;
  const { email } = await tx
    .selectFrom('users')
    .select('email')
    .where('user_id', '=', rawUserId)
    .executeTakeFirstOrThrow();
  const key = await instanceKey(context, 'sign-in-failures');
  const { ofPair, ofAccount } = signInAttempt(key, email, origin.ip, now).successes;
  await countRequest(tx, [ofPair, ofAccount], now, 'This account was signed in to too often.');
}
