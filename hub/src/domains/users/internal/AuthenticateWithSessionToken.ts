import { ids, type Actor, type Id } from '@corral/contract';
import { hashSecret, isSecret, lookupKey } from '../../../auth/secret.ts';
import type { Internal } from '../../../calls/handler.ts';
import { isUseStale, liveSession } from '../sql/accounts.ts';

const absentHash = hashSecret('');

type SessionAnswer =
  | { readonly result: 'Invalid' }
  | {
      readonly result: 'Authenticated';
      readonly userId: Id<'user'>;
      readonly sessionId: Id<'session'>;
      readonly actor: Actor;
    };

/** Authenticates a session and extends its idle timeout, which is written at most every five minutes. */
export const AuthenticateWithSessionToken: Internal<{ token: Id<'sessionToken'> }, SessionAnswer> = {
  name: 'users_AuthenticateWithSessionToken',
  async run({ tx, input, now }) {
    const raw = ids.sessionToken.raw(input.token);
    const row = await tx
      .selectFrom('user_sessions')
      .select(['user_id', 'secret_hash', 'last_used_at'])
      .where('session_id', '=', lookupKey(raw))
      .where(liveSession(now))
      .executeTakeFirst();
    if (!isSecret(raw, row?.secret_hash ?? absentHash) || row === undefined) return { result: 'Invalid' };
    if (isUseStale('session', row.last_used_at, now)) {
      await tx
        .updateTable('user_sessions')
        .set({ last_used_at: now })
        .where('session_id', '=', lookupKey(raw))
        .execute();
    }
    const userId = ids.user.of(row.user_id);
    const sessionId = ids.session.of(lookupKey(raw));
    return { result: 'Authenticated', userId, sessionId, actor: { actor: 'User', kind: 'User', userId } };
  },
};
