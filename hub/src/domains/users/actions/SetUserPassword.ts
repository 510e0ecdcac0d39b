import { ActionError, ids, type Id } from '@corral/contract';
import { hashPassword, isPassword } from '../../../auth/password.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import { mustBeGoodPassword } from '../../../auth/password-rules.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { isSteppedUp, mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import { mustManageAccount } from '../policy/accounts.ts';
import { notFound } from '../../../auth/actors.ts';
import { replacePassword } from '../sql/accounts.ts';
import { mustUsePassword } from '../sql/password-policy.ts';
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
  readonly hadPassword: boolean;
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
      await mustUsePassword(tx, ids.user.raw(input.userId));
      const key = await instanceKey({ tx, now, vault }, 'request-limits');
      await countRequest(tx, countsOf(key, 'passwordChanges', ids.user.raw(input.userId)), now, tooOften);
    }
    await mustKnowPresentPassword(context, account);
    const { email, password_hash: present } = account;
    return {
      email,
      hadPassword: present !== null,
      passwordHash: await hashPassword(input.password),
    };
  },

  async authorize(context, checked) {
    const { tx, actor, input } = context;
    await mustManageAccount(tx, actor, input.userId);
    // Where there is a present password, `prepare` has asked users themselves for it, or for a proof of the last ten minutes.
    if (!checked.hadPassword || !('userId' in actor) || actor.userId !== input.userId)
      mustBeSteppedUp(context);
    return checked;
  },

  async run({ tx, input, origin, now, emit, vault }, { email, passwordHash }) {
    const userId = ids.user.raw(input.userId);
    const ended = await replacePassword(tx, {
      userId,
      passwordHash,
      now,
      exceptSessionId: origin.sessionId,
    });
    if (ended === undefined) throw notFound('User');
    await forgetSignIns({ tx, now, vault }, email);
    emit('users_SetPassword', { userId: input.userId });
    for (const sessionId of ended) {
      emit('users_SessionTerminated', {
        userId: input.userId,
        sessionId: ids.session.of(sessionId),
      });
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
  { actor, input, origin, now }: HandlerContext<'users_SetUserPassword'>,
  { password_hash: storedHash }: Account,
): Promise<void> {
  if (!('userId' in actor) || actor.userId !== input.userId || storedHash === null) return;
  const { currentPassword } = input;
  if (currentPassword === undefined && isSteppedUp({ origin, now })) return;
  if (currentPassword === undefined)
    throw new ActionError(
      'Invalid',
      'Enter your present password, too: you signed in more than 10 minutes ago. If you have forgotten it, ask an administrator for a link to set a new one.',
    );
  if (!(await isPassword(currentPassword, storedHash)))
    throw new ActionError('Invalid', 'The present password is not right. Nothing was changed.');
}
