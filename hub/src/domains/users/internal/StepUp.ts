import {
  ActionError,
  type AuthenticationMethod,
  canonicalEmail,
  type Id,
  ids,
  type PasskeyAssertion,
} from '@corral/contract';
import { matchPassword } from '../../../auth/password.ts';
import type { SignInAttempt } from '../../../auth/sign-in-limits.ts';
import { inSignInTurn } from '../../../auth/sign-in-turns.ts';
import type { CallContext, Internal } from '../../../calls/handler.ts';
import { checkPasskey } from '../../passkeys/index.ts';
import { failedSignIn } from '../policy/failed-sign-in.ts';
import { refusalOfCode } from '../policy/second-factors.ts';
import { helpOf, waysToConfirm } from '../policy/ways-to-confirm.ts';
import { passwordsAreOff } from '../sql/password-policy.ts';
import { hasFactor, readSecondFactors, type SecondFactors } from '../sql/second-factors.ts';
import { stepUpSession } from '../sql/sessions.ts';
import { beginSignIn, countFailure, countSuccess } from '../sql/sign-in-failures.ts';

/** Whose session it is, and what was typed, or the use of a passkey. */
type Proof = { readonly userId: Id<'user'>; readonly sessionId: Id<'session'> } & (
  | { readonly method: 'password' | 'totp' | 'recoveryCode'; readonly typed: string }
  | { readonly method: 'passkey'; readonly assertion: PasskeyAssertion }
);

type SteppedUp =
  | {
      readonly result: 'SteppedUp';
      readonly sessionToken: Id<'sessionToken'>;
      readonly expiresInSecs: number;
      readonly validForSecs: number;
    }
  | { readonly result: 'Refused'; readonly sentence: string }
  | { readonly result: 'Ended' };

interface Checked {
  readonly attempt: SignInAttempt;
  /** The hash that the typed password has; undefined for a wrong one, and for codes. */
  readonly storedHash: string | undefined;
}

type Context = CallContext<Proof>;

/** Takes a password, or a second factor where the user has one, as a new proof of who has a session, and gives the session a new token. Wrong ones are counted as those of sign-ins. */
export const StepUp: Internal<Proof, SteppedUp, Checked> = {
  name: 'users_StepUp',
  isRecorded: true,

  async prepare(context) {
    const { tx, input, origin, now, vault } = context;
    const account = await accountOf(context, ids.user.raw(input.userId));
    mustFit(input.method, account);
    const attempt = await beginSignIn({ tx, now, vault }, canonicalEmail(account.email), origin.ip);
    if (input.method !== 'password') return { attempt, storedHash: undefined };
    const storedHash = account.password_hash ?? undefined;
    const match = await inSignInTurn(attempt.turns, () => matchPassword(input.typed, storedHash));
    return { attempt, storedHash: match === 'None' ? undefined : storedHash };
  },

  async run(context, { attempt, storedHash }) {
    const { tx, input, now, emit } = context;
    const { userId, sessionId, method } = input;
    const refusal = await refusalOf(context, storedHash);
    if (refusal !== undefined) {
      await countFailure(tx, attempt, now);
      return { result: 'Refused', sentence: refusal };
    }
    // Once more: the factor may have been replaced meanwhile.
    mustFit(method, await accountOf(context, ids.user.raw(userId)));
    await countSuccess(tx, attempt, now);
    const renewed = await stepUpSession(tx, {
      sessionId: ids.session.raw(sessionId),
      method,
      storedHash,
      now,
    });
    if (renewed === undefined) return { result: 'Ended' };
    emit('users_SessionSteppedUp', { userId, sessionId, method }, { actor: 'User', kind: 'User', userId });
    return { result: 'SteppedUp', ...renewed };
  },
};

interface Account {
  readonly email: string;
  readonly password_hash: string | null;
  readonly factors: SecondFactors;
  readonly ways: readonly AuthenticationMethod[];
}

async function accountOf(context: Context, userId: string): Promise<Account> {
  const { tx } = context;
  const account = await tx
    .selectFrom('users')
    .select(['email', 'password_hash'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const factors = await readSecondFactors(tx, userId);
  if (account === undefined || factors === undefined) throw new ActionError('NotSignedIn', 'Not logged in.');
  return { ...account, factors, ways: await waysToConfirm(context, userId, factors) };
}

/** Requires that somebody can confirm by this. */
function mustFit(method: Proof['method'], { password_hash: hash, factors, ways }: Account): void {
  if (ways.includes(method)) return;
  const [way] = ways;
  if (hasFactor(factors)) throw new ActionError('Invalid', factorSentence(method, factors, ways));
  if (way === 'password')
    throw new ActionError('Invalid', 'Your account has no second factor: confirm with your password.');
  if (way === 'provider')
    throw new ActionError(
      'Invalid',
      'Your account has neither a password nor a second factor: confirm by signing in at the provider.',
    );
  if (hash !== null) throw passwordsAreOff();
  throw new ActionError('Invalid', 'Your account has no password. Sign out, and sign in again.');
}

/** Why somebody who has a second factor cannot confirm by this. */
function factorSentence(
  method: Proof['method'],
  { is_proved: isProved, has_proved_codes: hasProvedCodes }: SecondFactors,
  ways: Account['ways'],
): string {
  const isUnproved = (method === 'totp' ? isProved : hasProvedCodes) === false;
  if (isUnproved && (method === 'totp' || method === 'recoveryCode'))
    return `Your authenticator was set up without a proof of who you are, and confirms nothing before there is one: ${helpOf(ways)}`;
  if (method === 'password' && isProved !== false)
    return 'Your account has a second factor: confirm with it, not with the password.';
  return `You cannot confirm by this: ${helpOf(ways)}`;
}

/** Why the proof was refused; undefined for a right one. */
async function refusalOf(context: Context, storedHash: string | undefined): Promise<string | undefined> {
  const { input, origin, emit } = context;
  const { userId, sessionId, method } = input;
  const failure = failedSignIn(origin, { userId, method, sessionId });
  if (input.method === 'password') {
    if (storedHash !== undefined) return undefined;
    emit('users_SignInFailed', failure);
    return 'This password is not right.';
  }
  const rawUserId = ids.user.raw(userId);
  const sentence =
    input.method === 'passkey'
      ? await refusalOfPasskey(context, input, rawUserId)
      : await refusalOfCode(context, rawUserId, input.method, input.typed);
  if (sentence !== undefined) emit('users_SecondFactorFailed', failure);
  return sentence;
}

async function refusalOfPasskey(
  context: Context,
  { userId, sessionId, assertion }: Extract<Proof, { method: 'passkey' }>,
  rawUserId: string,
): Promise<string | undefined> {
  const use = { purpose: 'stepUp', subject: ids.session.raw(sessionId) } as const;
  const check = await checkPasskey(context, use, assertion, rawUserId);
  if (check.result !== 'Right')
    return 'This passkey was not accepted: it is not yours, or it took too long. Try again.';
  if (check.isBackwards) context.emit('users_PasskeyCounterWentBack', { userId, name: check.name });
  return undefined;
}
