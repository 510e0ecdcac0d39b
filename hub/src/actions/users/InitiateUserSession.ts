import { ActionError, canonicalEmail, ids } from '@corral/contract';
import { isPassword } from '../../auth/password.ts';
import type { SignInAttempt } from '../../auth/sign-in-limits.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { startSession } from '../../store/sessions.ts';
import { beginSignIn, countFailure, countSuccess } from '../../store/sign-in-failures.ts';

const defaultValidForSecs = 24 * 3600;
const maxValidForSecs = 30 * 24 * 3600;

interface CheckedSignIn {
  readonly attempt: SignInAttempt;
  readonly userId: string | undefined;
  /** The stored hash that matched the password; undefined if none did. */
  readonly storedHash: string | undefined;
  readonly validForSecs: number;
}

/** Checks an e-mail address and a password, rate-limited, and starts a session; all causes of refusal get the same answer. */
export const InitiateUserSession: Handler<'users_InitiateUserSession', CheckedSignIn, CheckedSignIn> = {
  isForAnonymous: true,

  async prepare({ tx, actor, input, origin, now, vault }) {
    mustBeHub(actor);
    const validForSecs = mustBeValidity(input.validForSecs ?? defaultValidForSecs);
    const email = canonicalEmail(input.email);
    const attempt = await beginSignIn({ tx, now, vault }, email, origin.ip);
    const user = await tx
      .selectFrom('users')
      .select(['user_id', 'password_hash'])
      .where('email', '=', email)
      .executeTakeFirst();
    const storedHash = user?.password_hash ?? undefined;
    const isRight = await isPassword(input.password, storedHash);
    return { attempt, userId: user?.user_id, storedHash: isRight ? storedHash : undefined, validForSecs };
  },

  authorize({ actor }, checked) {
    mustBeHub(actor);
    return checked;
  },

  async run({ tx, input, now, emit }, { attempt, userId: rawUserId, storedHash, validForSecs }) {
    const { userAgent, password } = input;
    const started =
      rawUserId !== undefined && storedHash !== undefined
        ? await startSession(tx, { userId: rawUserId, storedHash, password, userAgent, validForSecs, now })
        : undefined;
    const userId = rawUserId === undefined ? undefined : ids.user.of(rawUserId);
    if (started === undefined || userId === undefined) {
      await countFailure(tx, attempt, now);
      emit('users_SignInFailed', userId === undefined ? {} : { userId });
      return { result: 'InvalidCredentials' };
    }
    await countSuccess(tx, attempt, now);
    emit('users_SessionInitiated', { userId, sessionId: started.sessionId });
    return { result: 'Created', userId, ...started };
  },
};

function mustBeValidity(seconds: number): number {
  if (seconds >= 1 && seconds <= maxValidForSecs) return seconds;
  throw new ActionError('Invalid', `A session must be valid for 1 to ${maxValidForSecs} seconds.`);
}
