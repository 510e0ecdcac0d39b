import type { PasskeyRequest } from '@corral/contract';
import type { CallContext, Internal } from '../../../calls/handler.ts';
import { readPasskeys, requestPasskey } from '../../passkeys/index.ts';
import { lockPendingSignIn } from '../sql/pending-sign-ins.ts';
import { readSecondFactors } from '../sql/second-factors.ts';

type SignInStep =
  | { readonly wants: 'Enrolment' }
  | {
      readonly wants: 'Factor';
      readonly hasAuthenticator: boolean;
      /** Undefined if the user has none that works here. */
      readonly passkey: PasskeyRequest | undefined;
      /** Why none of the factors can be used here, and what helps. */
      readonly notice: string | undefined;
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
    const hasAuthenticator = (factors?.added_at ?? null) !== null;
    const passkey = await requestPasskey(context, { purpose: 'factor', subject }, userId);
    const isLost = !hasAuthenticator && passkey === undefined;
    const codesLeft = factors?.recovery_codes_left ?? 0;
    return {
      wants: 'Factor',
      hasAuthenticator,
      passkey,
      notice: isLost ? await noticeOf(context, userId, codesLeft) : undefined,
    };
  },
};

/** For who has nothing but passkeys of a former name of the hub. */
async function noticeOf(
  { tx, origins }: Pick<CallContext<unknown>, 'tx' | 'origins'>,
  userId: string,
  codesLeft: number,
): Promise<string> {
  const names = new Set((await readPasskeys(tx, userId)).map((passkey) => passkey.rp_id));
  const reason = `Your passkeys work only at ${[...names].join(', ')}, and this hub is ${new URL(origins.console).hostname} now.`;
  return codesLeft > 0
    ? `${reason} Sign in with a recovery code, and set up a new factor.`
    : `${reason} You have no recovery code left: ask another administrator to remove your second factors, or who runs the hub to do so by the command reset-administrator --remove-second-factors.`;
}
