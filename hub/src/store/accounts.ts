import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';

/** SQL for whether a row with a `user_id` belongs to a person, or the person is an administrator, or the hub itself acts. */
export function ownedOrAdministered(speaker: {
  readonly userId: string | null;
  readonly isSystem: boolean;
}): RawBuilder<boolean> {
  return sql<boolean>`(user_id = ${speaker.userId} or ${speaker.isSystem}
    or exists (select 1 from users a where a.user_id = ${speaker.userId} and a.is_admin))`;
}

/** SQL for whether a row of `user_sessions` is neither expired nor idle for too long. */
export function liveSession(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(expires_at > ${now} and last_used_at + idle_timeout_secs * interval '1 second' > ${now})`;
}

/** Ends the sessions of a user, except one if given; returns their raw ids. */
export async function endSessions(tx: Database, userId: string, exceptSessionId?: string): Promise<string[]> {
  let ending = tx.deleteFrom('user_sessions').where('user_id', '=', userId);
  if (exceptSessionId !== undefined) ending = ending.where('session_id', '<>', exceptSessionId);
  const ended = await ending.returning('session_id').execute();
  return ended.map((row) => row.session_id);
}

/** Locks the rows of all administrators until the transaction ends, so that the last two cannot be demoted concurrently; returns their raw ids. */
export async function lockAdministrators(tx: Database): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select('user_id')
    .where('is_admin', '=', true)
    .orderBy('user_id')
    .forNoKeyUpdate()
    .execute();
  return rows.map((row) => row.user_id);
}

const useStepMs = 5 * 60_000;

/** Whether a recorded last use is more than 5 minutes old; updating it less often saves a write on every call. */
export function isUseStale(lastUsedAt: string | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - Date.parse(lastUsedAt) >= useStepMs;
}
