import { ids, type Actor, type Id } from '@corral/contract';
import { hashSecret, isSecret } from '../../../auth/secret.ts';
import type { Internal } from '../../../calls/handler.ts';
import { isUseStale, liveSession } from '../sql/accounts.ts';
import { sessionOfToken } from '../sql/sessions.ts';

const absentHash = hashSecret('');

type SessionAnswer =
  | { readonly result: 'Invalid' }
  | {
      readonly result: 'Authenticated';
      readonly userId: Id<'user'>;
      readonly sessionId: Id<'session'>;
      /** When the user last proved who it is; undefined for a session of an earlier hub. */
      readonly steppedUpAt: string | undefined;
      readonly actor: Actor;
    };

/** Authenticates a session and extends its idle timeout, which is written at most every five minutes. */
export const AuthenticateWithSessionToken: Internal<{ token: Id<'sessionToken'> }, SessionAnswer> = {
  name: 'users_AuthenticateWithSessionToken',
  async run({ tx, input, now }) {
    const raw = ids.sessionToken.raw(input.token);
    const row = await tx
      .selectFrom('user_sessions')
      .select(['session_id', 'user_id', 'secret_hash', 'last_used_at', 'stepped_up_at'])
      .where(sessionOfToken(raw))
      .where(liveSession(now))
      .executeTakeFirst();
    if (!isSecret(raw, row?.secret_hash ?? absentHash) || row === undefined) return { result: 'Invalid' };
    if (isUseStale('session', row.last_used_at, now)) {
      await tx
        .updateTable('user_sessions')
        .set({ last_used_at: now })
        .where('session_id', '=', row.session_id)
        .execute();
    }
    const userId = ids.user.of(row.user_id);
    const sessionId = ids.session.of(row.session_id);
    return {
      result: 'Authenticated',
      userId,
      sessionId,
      steppedUpAt: row.stepped_up_at ?? undefined,
      actor: { actor: 'User', kind: 'User', userId },
    };
  },
};
