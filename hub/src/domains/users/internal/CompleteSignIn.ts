import { type AuthenticationMethod, type Id, ids, type PasskeyAssertion } from '@corral/contract';
import { isSteppedUp } from '../../../auth/stepped-up.ts';
import type { CallContext, Internal } from '../../../calls/handler.ts';
import { noteUse } from '../../identities/index.ts';
import { checkPasskey } from '../../passkeys/index.ts';
import { failedSignIn } from '../policy/failed-sign-in.ts';
import { refusalOfCode, sentenceOf } from '../policy/second-factors.ts';
import { queueMail } from '../sql/mail-queue.ts';
import {
  countTry,
  endPendingSignIn,
  lockPendingSignIn,
  type PendingSignIn,
} from '../sql/pending-sign-ins.ts';
import { isProof, proveFactors } from '../sql/proved-factors.ts';
import { confirmEnrolment } from '../sql/second-factors.ts';
import { beginSession, emitSessionEvents, provedAt } from '../sql/sessions.ts';

/** What was typed: a code of the authenticator, or a recovery code. */
interface TypedCode {
  readonly code: string;
  readonly isRecoveryCode: boolean;
}

/** A sign-in that waits, and what it goes on with. */
type Completion = { readonly pendingToken: string } & (TypedCode | { readonly assertion: PasskeyAssertion });

type CompletedSignIn =
  | {
      readonly result: 'Created';
      readonly userId: Id<'user'>;
      readonly sessionToken: Id<'sessionToken'>;
      readonly validForSecs: number;
      /** Of an authenticator that was just set up. */
      readonly recoveryCodes?: readonly string[];
    }
  | { readonly result: 'Refused'; readonly sentence: string }
  | { readonly result: 'Ended' };

type Context = CallContext<Completion>;

/** Ends a sign-in with the second factor that it waits for, or with the first code of a new one, and starts its session. */
export const CompleteSignIn: Internal<Completion, CompletedSignIn> = {
  name: 'users_CompleteSignIn',
  isRecorded: true,
  isForAnonymous: true,

  async run(context) {
    const { tx, input, origin, now, emit } = context;
    const pending = await lockPendingSignIn(tx, input.pendingToken, now);
    if (pending === undefined) return { result: 'Ended' };
    const userId = ids.user.of(pending.user_id);
    const proof = await (pending.wants === 'Enrolment' ? enrol : prove)(context, pending);
    if (typeof proof === 'string') {
      await countTry(tx, pending);
      const failure = { userId, method: methodOf(input), userAgent: pending.user_agent };
      if (pending.wants === 'Factor') emit('users_SecondFactorFailed', failedSignIn(origin, failure));
      return { result: 'Refused', sentence: proof };
    }
    const isProving = pending.wants === 'Factor' && (await isProof(tx, pending.user_id, proof.method));
    if (proof.method === 'totp' && hasJustProved(pending, now)) await proveFactors(tx, pending.user_id);
    await endPendingSignIn(tx, pending);
    const begun = await beginSession(tx, {
      userId: pending.user_id,
      methods: [...pending.methods, proof.method],
      userAgent: pending.user_agent,
      address: origin.ip,
      validForSecs: pending.valid_for_secs,
      identity: identityOf(pending),
      isLastUnproved: !isProving,
      now,
    });
    if (begun?.result !== 'Finished') return { result: 'Ended' };
    const identity = identityOf(pending);
    if (identity !== undefined) await noteUse(tx, identity, now);
    emitSessionEvents(emit, userId, begun);
    const { recoveryCodes } = proof;
    return {
      result: 'Created',
      userId,
      sessionToken: begun.sessionToken,
      validForSecs: pending.valid_for_secs,
      ...(recoveryCodes === undefined ? {} : { recoveryCodes }),
    };
  },
};

function methodOf(input: Completion): AuthenticationMethod {
  if ('assertion' in input) return 'passkey';
  return input.isRecoveryCode ? 'recoveryCode' : 'totp';
}

/** As whom somebody signed in at the provider, before the second factor. */
function identityOf({ issuer, subject, ...pending }: PendingSignIn) {
  if (issuer === null || subject === null) return undefined;
  const { provider_session_id: providerSessionId, provider_authenticated_at: at } = pending;
  return {
    issuer,
    subject,
    providerSessionId: providerSessionId ?? undefined,
    authenticatedAt: at === null ? undefined : new Date(at),
  };
}

/** Whether somebody has proved who it is in the last minutes before the second factor: a session at the provider that was open is no proof. */
function hasJustProved(pending: PendingSignIn, now: Date): boolean {
  const at = provedAt({ methods: pending.methods, identity: identityOf(pending), now });
  return isSteppedUp({ origin: at === undefined ? {} : { steppedUpAt: at.toISOString() }, now });
}

interface Proof {
  readonly method: AuthenticationMethod;
  readonly recoveryCodes?: readonly string[];
}

/** The proof by a factor, or why it was refused. */
async function prove(context: Context, pending: PendingSignIn): Promise<Proof | string> {
  const { input } = context;
  if ('assertion' in input) return provePasskey(context, input.assertion, pending);
  const method = input.isRecoveryCode ? 'recoveryCode' : 'totp';
  const refusal = await refusalOfCode(context, pending.user_id, method, input.code);
  return refusal ?? { method };
}

async function provePasskey(
  context: Context,
  assertion: PasskeyAssertion,
  { pending_id: subject, user_id: rawUserId }: PendingSignIn,
): Promise<Proof | string> {
  const check = await checkPasskey(context, { purpose: 'factor', subject }, assertion, rawUserId);
  if (check.result !== 'Right')
    return 'This passkey was not accepted: it is not yours, or it took too long. Try again.';
  const userId = ids.user.of(rawUserId);
  if (check.isBackwards) context.emit('users_PasskeyCounterWentBack', { userId, name: check.name });
  return { method: 'passkey' };
}

/** The proof by a new factor. */
async function enrol(
  { tx, input, vault, now, emit }: Context,
  pending: PendingSignIn,
): Promise<Proof | string> {
  if ('assertion' in input) return 'Set up an authenticator first.';
  const { user_id: rawUserId } = pending;
  const isProved = hasJustProved(pending, now);
  const recoveryCodes = await confirmEnrolment({ tx, vault, now }, rawUserId, input.code, { isProved });
  if (recoveryCodes === undefined) return sentenceOf('Wrong', now);
  await queueMail(tx, { kind: 'FactorAdded', userId: rawUserId, now });
  const userId = ids.user.of(rawUserId);
  emit('users_SecondFactorAdded', { userId, kind: 'authenticator' }, { actor: 'User', kind: 'User', userId });
  emit('mail_Queued', {});
  return { method: 'totp', recoveryCodes };
}
