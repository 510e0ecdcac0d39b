import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';

/** SQL that tells whether a row with a `user_id` belongs to a person, or the person is an administrator, or the hub itself acts. */
export function ownedOrAdministered(speaker: {
  readonly userId: string | null;
  readonly isSystem: boolean;
}): RawBuilder<boolean> {
  return sql<boolean>`(user_id = ${speaker.userId} or ${speaker.isSystem}
    or exists (select 1 from users a where a.user_id = ${speaker.userId} and a.is_admin))`;
}

/** SQL that tells whether a row of `user_sessions` is still good. */
export function liveSession(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(expires_at > ${now} and last_used_at + idle_timeout_secs * interval '1 second' > ${now})`;
}

/** Ends the sessions of a user but for one that may stay; answers their raw ids. */
export async function endSessions(tx: Database, userId: string, butFor?: string): Promise<string[]> {
  let ending = tx.deleteFrom('user_sessions').where('user_id', '=', userId);
  if (butFor !== undefined) ending = ending.where('session_id', '<>', butFor);
  const ended = await ending.returning('session_id').execute();
  return ended.map((row) => row.session_id);
}

/** Holds the rows of all administrators until the transaction ends, so that two of them cannot both be the last but one; answers their raw ids. */
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

/** Tells whether the note of a last use is so old that it should be written anew: sparing a write on every call. */
export function isStaleUse(lastUsedAt: string | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - Date.parse(lastUsedAt) >= useStepMs;
}
