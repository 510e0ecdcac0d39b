import { ids, type Id } from '@corral/contract';
import { hashPassword } from '../../auth/password.ts';
import { newPasswordLimits } from '../../auth/request-limits.ts';
import { mustBeGoodPassword } from '../../auth/password-rules.ts';
import type { Database } from '../../db/connect.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustManageAccount } from '../../policy/accounts.ts';
import { notFound } from '../../policy/actors.ts';
import { replacePassword } from '../../store/accounts.ts';
import { instanceKey } from '../../store/instance-keys.ts';
import { countRequest } from '../../store/request-limits.ts';

/** Sets a password, at most five times an hour for one account, ends all other sessions of the user and notifies the user by e-mail. */
export const SetUserPassword: Handler<'users_SetUserPassword', string, string> = {
  async prepare({ tx, actor, input, now, vault }) {
    await mustManageAccount(tx, actor, input.userId);
    mustBeGoodPassword(input.password, await emailOf(tx, input.userId));
    const key = await instanceKey({ tx, now, vault }, 'request-limits');
    const sentence = 'This password was changed too often. Please wait before you change it again.';
    await countRequest(tx, newPasswordLimits(key, ids.user.raw(input.userId)), now, sentence);
    return hashPassword(input.password);
  },

  async authorize({ tx, actor, input }, passwordHash) {
    await mustManageAccount(tx, actor, input.userId);
    return passwordHash;
  },

  async run({ tx, input, origin, now, emit }, passwordHash) {
    const userId = ids.user.raw(input.userId);
    const ended = await replacePassword(tx, { userId, passwordHash, now, exceptSessionId: origin.sessionId });
    if (ended === undefined) throw notFound('User');
    emit('users_SetPassword', { userId: input.userId });
    for (const sessionId of ended) {
      emit('users_SessionTerminated', { userId: input.userId, sessionId: ids.session.of(sessionId) });
    }
    emit('mail_Queued', {});
    return {};
  },
};

async function emailOf(tx: Database, userId: Id<'user'>): Promise<string> {
  const user = await tx
    .selectFrom('users')
    .select('email')
    .where('user_id', '=', ids.user.raw(userId))
    .executeTakeFirst();
  if (user === undefined) throw notFound('User');
  return user.email;
}
