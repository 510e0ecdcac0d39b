import { ActionError, canonicalEmail, emailSpellings, ids } from '@corral/contract';
import { sql } from 'kysely';
import { matchPassword } from '../../../auth/password.ts';
import type { SignInAttempt } from '../../../auth/sign-in-limits.ts';
import { inSignInTurn } from '../../../auth/sign-in-turns.ts';
import { Refusal } from '../../../calls/failures.ts';
import type { Handler } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { mustBeHub } from '../../../auth/actors.ts';
import { failedSignIn } from '../policy/failed-sign-in.ts';
import { passwordsAreOff, readPasswordPolicy } from '../sql/password-policy.ts';
import { countRequest, mustBeWithinLimits } from '../sql/request-limits.ts';
import { beginSession, emitSessionEvents } from '../sql/sessions.ts';
import { beginSignIn, countFailure, countSuccess } from '../sql/sign-in-failures.ts';

const defaultValidForSecs = 24 * 3600;
const maxValidForSecs = 30 * 24 * 3600;
const signedInTooOften = 'This account was signed in to too often.';

interface CheckedSignIn {
  readonly attempt: SignInAttempt;
  readonly userId: string | undefined;
  /** The stored hash that matched the password; undefined if none did. */
  readonly storedHash: string | undefined;
  readonly isOutdated: boolean;
  readonly validForSecs: number;
}

/** Checks an e-mail address and a password, rate-limited, and starts a session; all causes of refusal get the same answer. */
export const InitiateUserSession: Handler<'users_InitiateUserSession', CheckedSignIn, CheckedSignIn> = {
  isForAnonymous: true,

  async prepare({ tx, actor, input, origin, now, vault }) {
    mustBeHub(actor);
    const validForSecs = mustBeValidity(input.validForSecs ?? defaultValidForSecs);
    // Before the password is checked, so that nobody learns whether it is right.
    if ((await readPasswordPolicy(tx)) === 'nobody') throw passwordsAreOff();
    const email = canonicalEmail(input.email);
    const attempt = await beginSignIn({ tx, now, vault }, email, origin.ip);
    // Only the network that signed in so often learns of it before its password is checked: others must not learn that there is such an account.
    await mustBeWithinLimits(tx, [attempt.successes.ofPair], now, signedInTooOften);
    const accounts = await accountsOf(tx, input.email);
    const found = await inSignInTurn(attempt.turns, () => firstWithPassword(accounts, input.password));
    return { attempt, ...found, validForSecs };
  },

  authorize({ actor }, checked) {
    mustBeHub(actor);
    return checked;
  },

  async run(
    { tx, input, origin, now, emit },
    { attempt, userId: rawUserId, storedHash, isOutdated, validForSecs },
  ) {
    const refusal = storedHash === undefined ? undefined : await countRightPassword(tx, attempt, now);
    if (refusal !== undefined) return refusal;
    const { userAgent, password } = input;
    const outdatedPassword = isOutdated ? password : undefined;
    const started =
      rawUserId !== undefined && storedHash !== undefined
        ? await beginSession(tx, {
            userId: rawUserId,
            methods: ['password'],
            address: origin.ip,
            storedHash,
            outdatedPassword,
            userAgent,
            validForSecs,
            now,
          })
        : undefined;
    const userId = rawUserId === undefined ? undefined : ids.user.of(rawUserId);
    if (started === undefined || userId === undefined) {
      await countFailure(tx, attempt, now);
      emit('users_SignInFailed', failedSignIn(origin, { userId, method: 'password', userAgent }));
      return { result: 'InvalidCredentials' };
    }
    await countSuccess(tx, attempt, now);
    if (started.result !== 'Finished') return { ...started, userId };
    emitSessionEvents(emit, userId, started);
    const { sessionId, sessionToken } = started;
    return { result: 'Created', userId, sessionId, sessionToken };
  },
};

interface Account {
  readonly user_id: string;
  readonly password_hash: string | null;
}

/** The account of an address; more only where an earlier release let two people register the same address in two spellings: first that of the spelling that was typed. */
function accountsOf(tx: Database, typed: string): Promise<Account[]> {
  const [first = '', ...others] = emailSpellings(typed);
  return tx
    .selectFrom('users')
    .select(['user_id', 'password_hash'])
    .where('email', 'in', [first, ...others])
    .orderBy(sql`email = ${first}`, 'desc')
    .execute();
}

/** The first account whose password it is; without an account, a hash is checked nevertheless. */
async function firstWithPassword(
  accounts: readonly Account[],
  password: string,
): Promise<Pick<CheckedSignIn, 'userId' | 'storedHash' | 'isOutdated'>> {
  for (const account of accounts.length === 0 ? [undefined] : accounts) {
    const storedHash = account?.password_hash ?? undefined;
    const match = await matchPassword(password, storedHash);
    if (match !== 'None') return { userId: account?.user_id, storedHash, isOutdated: match === 'Outdated' };
  }
  return { userId: accounts[0]?.user_id, storedHash: undefined, isOutdated: false };
}

/** Counts a sign-in with the right password. The count of one that is refused stays, so that further ones from its network are refused before their password is checked. */
async function countRightPassword(
  tx: Database,
  attempt: SignInAttempt,
  now: Date,
): Promise<Refusal | undefined> {
  const { ofPair, ofAccount } = attempt.successes;
  try {
    await countRequest(tx, [ofPair, ofAccount], now, signedInTooOften);
    return undefined;
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    // A guess that is throttled must not learn that it was right.
    await countSuccess(tx, attempt, now);
    return new Refusal(error);
  }
}

function mustBeValidity(seconds: number): number {
  if (seconds >= 1 && seconds <= maxValidForSecs) return seconds;
  throw new ActionError('Invalid', `A session must be valid for 1 to ${maxValidForSecs} seconds.`);
}
