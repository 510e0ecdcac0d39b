import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { withdrawLogins } from './login-requests.ts';
import { queueMail } from './mail-queue.ts';
import { withdrawPasswordLink } from './password-links.ts';

/** SQL for whether a row with a `user_id` belongs to a person, or the person is an administrator, or the hub itself acts. */
export function ownedOrAdministered(principal: {
  readonly userId: string | null;
  readonly isSystem: boolean;
}): RawBuilder<boolean> {
  return sql<boolean>`(user_id = ${principal.userId} or ${principal.isSystem}
    or exists (select 1 from users a where a.user_id = ${principal.userId} and a.is_admin and a.disabled_at is null))`;
}

/** SQL for whether a row of `user_sessions` is neither expired nor idle for too long. */
export function liveSession(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(expires_at > ${now} and last_used_at + idle_timeout_secs * interval '1 second' > ${now})`;
}

/** Ends the sessions of a user, except one if given, and the sign-ins that wait; returns the raw ids of the sessions. */
export async function endSessions(tx: Database, userId: string, exceptSessionId?: string): Promise<string[]> {
  await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute();
  let ending = tx.deleteFrom('user_sessions').where('user_id', '=', userId);
  if (exceptSessionId !== undefined) ending = ending.where('session_id', '<>', exceptSessionId);
  const ended = await ending.returning('session_id').execute();
  return ended.map((row) => row.session_id);
}

interface NewPassword {
  /** The raw id. */
  readonly userId: string;
  readonly passwordHash: string;
  readonly now: Date;
  /** The session that goes on. */
  readonly exceptSessionId?: string | undefined;
}

/**
 * Replaces a password, ends sessions, links and approved sign-ins of the user, and queues the e-mail about it; returns the raw ids of the
 * ended sessions, or undefined for no such user. Locks the user first, against a sign-in with the old password.
 */
export async function replacePassword(
  tx: Database,
  { userId, passwordHash, now, exceptSessionId }: NewPassword,
): Promise<string[] | undefined> {
  const changed = await tx
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) return undefined;
  await withdrawPasswordLink(tx, userId);
  await withdrawLogins(tx, userId);
  const ended = await endSessions(tx, userId, exceptSessionId);
  await queueMail(tx, { kind: 'PasswordChanged', userId, now });
  return ended;
}

/**
 * Locks the rows of all administrators who can sign in until the transaction ends, so that the last two cannot be demoted or disabled concurrently;
 * returns their raw ids.
 */
export async function lockAdministrators(tx: Database): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select('user_id')
    .where('is_admin', '=', true)
    .where('disabled_at', 'is', null)
    .orderBy('user_id')
    .forNoKeyUpdate()
    .execute();
  return rows.map((row) => row.user_id);
}

/** The raw ids of all administrators who can sign in. */
export async function activeAdministrators(tx: Database): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select('user_id')
    .where('is_admin', '=', true)
    .where('disabled_at', 'is', null)
    .execute();
  return rows.map((row) => row.user_id);
}

const lastUseIntervalMs = { session: 5 * 60_000, token: 60_000 } as const;

/** Whether a recorded last use is more than 5 minutes old for a session, or 1 minute for a token; updating it less often saves a write on every call. */
export function isUseStale(
  of: keyof typeof lastUseIntervalMs,
  lastUsedAt: string | null,
  now: Date,
): boolean {
  return lastUsedAt === null || now.getTime() - Date.parse(lastUsedAt) >= lastUseIntervalMs[of];
}
