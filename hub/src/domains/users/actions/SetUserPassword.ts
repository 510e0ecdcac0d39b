import { ActionError, ids, type Id } from '@corral/contract';
import { hashPassword, isPassword } from '../../../auth/password.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import { mustBeGoodPassword } from '../../../auth/password-rules.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { mustBeSteppedUp, provedForMs } from '../../../auth/stepped-up.ts';
import { mustManageAccount } from '../policy/accounts.ts';
import { notFound } from '../../../auth/actors.ts';
import { replacePassword } from '../sql/accounts.ts';
import { instanceKey } from '../../instance/index.ts';
import { countRequest } from '../sql/request-limits.ts';
import { forgetSignIns } from '../sql/sign-in-failures.ts';

/** The user whose password is set. */
interface Account {
  readonly email: string;
  readonly password_hash: string | null;
}

interface Checked {
  readonly email: string;
  readonly passwordHash: string;
}

const tooOften = 'This password was changed too often, or the present one was wrong too often.';

/**
 * Sets a password, at most five times an hour for one account, ends all other sessions of the user and notifies the user by e-mail. Of users themselves it asks for the present password,
 * so that a session that was left open does not suffice to take the account. Counted failures of signing in are forgotten with the old password.
 */
export const SetUserPassword: Handler<'users_SetUserPassword', Checked, Checked> = {
  async prepare(context) {
    const { tx, actor, input, now, vault } = context;
    await mustManageAccount(tx, actor, input.userId);
    const account = await accountOf(tx, input.userId);
    mustBeGoodPassword(input.password, account.email);
    if (actor.actor !== 'System') {
      const key = await instanceKey({ tx, now, vault }, 'request-limits');
      await countRequest(tx, countsOf(key, 'passwordChanges', ids.user.raw(input.userId)), now, tooOften);
    }
    await mustKnowPresentPassword(context, account);
    return { email: account.email, passwordHash: await hashPassword(input.password) };
  },

  async authorize(context, checked) {
    const { tx, actor, input } = context;
    await mustManageAccount(tx, actor, input.userId);
    // Of users themselves `prepare` has asked for the present password, or it is not ten minutes since they gave it.
    if (!('userId' in actor) || actor.userId !== input.userId) mustBeSteppedUp(context);
    return checked;
  },

  async run({ tx, input, origin, now, emit, vault }, { email, passwordHash }) {
    const userId = ids.user.raw(input.userId);
    const ended = await replacePassword(tx, { userId, passwordHash, now, exceptSessionId: origin.sessionId });
    if (ended === undefined) throw notFound('User');
    await forgetSignIns({ tx, now, vault }, email);
    emit('users_SetPassword', { userId: input.userId });
    for (const sessionId of ended) {
      emit('users_SessionTerminated', { userId: input.userId, sessionId: ids.session.of(sessionId) });
    }
    emit('mail_Queued', {});
    return {};
  },
};

async function accountOf(tx: Database, userId: Id<'user'>): Promise<Account> {
  const account = await tx
    .selectFrom('users')
    .select(['email', 'password_hash'])
    .where('user_id', '=', ids.user.raw(userId))
    .executeTakeFirst();
  if (account === undefined) throw notFound('User');
  return account;
}

/** Administrators set the passwords of others, which they do not know; the hub itself acts for the operator. */
async function mustKnowPresentPassword(
  { tx, actor, input, origin, now }: HandlerContext<'users_SetUserPassword'>,
  { password_hash: storedHash }: Account,
): Promise<void> {
  if (!('userId' in actor) || actor.userId !== input.userId || storedHash === null) return;
  const { currentPassword } = input;
  if (currentPassword === undefined && (await isFreshSession(tx, origin.sessionId, now))) return;
  if (currentPassword === undefined)
    throw new ActionError(
      'Invalid',
      'Enter your present password, too: you signed in more than 10 minutes ago. If you have forgotten it, ask an administrator for a link to set a new one.',
    );
  if (!(await isPassword(currentPassword, storedHash)))
    throw new ActionError('Invalid', 'The present password is not right. Nothing was changed.');
}

async function isFreshSession(tx: Database, sessionId: string | undefined, now: Date): Promise<boolean> {
  if (sessionId === undefined) return false;
  const session = await tx
    .selectFrom('user_sessions')
    .select('created_at')
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  return session !== undefined && now.getTime() - Date.parse(session.created_at) <= provedForMs;
}
