import { sql, type Selectable } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { limits } from '../../../limits/table.ts';

const columns = [
  'request_id',
  'secret_hash',
  'user_code',
  'network',
  'address',
  'name',
  'is_read_only',
  'project_ids',
  'repository_ids',
  'is_administrator',
  'verbs',
  'token_valid_secs',
  'user_id',
  'is_approved',
  'created_at',
  'expires_at',
  'polled_at',
] as const;

/** A request of a command line for a user token. */
export type LoginRequest = Pick<Selectable<Tables['login_requests']>, (typeof columns)[number]>;

/** How long a code can be confirmed. */
const validMs = 10 * 60_000;

/** A request to be stored. */
export type NewLoginRequest = Omit<
  LoginRequest,
  'created_at' | 'expires_at' | 'polled_at' | 'user_id' | 'is_approved'
>;

/** Adds a request and returns when it expires; undefined while too many wait. */
export async function addLoginRequest(
  tx: Database,
  request: NewLoginRequest,
  now: Date,
): Promise<Date | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('login_requests', 0))`.execute(tx);
  await tx
    .deleteFrom('login_requests')
    .where('expires_at', '<=', new Date(now.getTime() - validMs).toISOString())
    .execute();
  const { rows } = await sql<{ isFull: boolean }>`
    select count(*) >= ${limits.pendingLogins.inAll} or count(*) filter (where network = ${request.network}) >= ${limits.pendingLogins.ofCaller}
      as "isFull" from login_requests where expires_at > ${now} and is_approved is null`.execute(tx);
  if (rows[0]?.isFull !== false) return undefined;
  const expiresAt = new Date(now.getTime() + validMs);
  await tx
    .insertInto('login_requests')
    .values({ ...request, created_at: now, expires_at: expiresAt })
    .execute();
  return expiresAt;
}

/** The undecided request with a code, locked; undefined when there is none. */
export async function pendingLogin(
  tx: Database,
  userCode: string,
  now: Date,
): Promise<LoginRequest | undefined> {
  return tx
    .selectFrom('login_requests')
    .select(columns)
    .where('user_code', '=', userCode)
    .where('expires_at', '>', now.toISOString())
    .where('is_approved', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** A decision about a request; ids are raw. */
interface LoginDecision {
  readonly userId: string;
  readonly isApproved: boolean;
  /** The session of the decision: when it ends, the request is deleted. */
  readonly sessionId: string | undefined;
}

/** Records who decided a request, how, and in which session. */
export async function decideLogin(
  tx: Database,
  requestId: string,
  { userId, isApproved, sessionId }: LoginDecision,
): Promise<void> {
  await tx
    .updateTable('login_requests')
    .set({ user_id: userId, is_approved: isApproved, session_id: sessionId ?? null })
    .where('request_id', '=', requestId)
    .execute();
}

/** Deletes the requests that a user, by raw id, has decided: no token comes of them. */
export async function withdrawLogins(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('login_requests').where('user_id', '=', userId).execute();
}

/** The request with this id, locked. */
export async function lockLogin(tx: Database, requestId: string): Promise<LoginRequest | undefined> {
  return tx
    .selectFrom('login_requests')
    .select(columns)
    .where('request_id', '=', requestId)
    .forUpdate()
    .executeTakeFirst();
}

/** Records that the command line has asked whether its request is decided. */
export async function recordPoll(tx: Database, requestId: string, now: Date): Promise<void> {
  await tx
    .updateTable('login_requests')
    .set({ polled_at: now })
    .where('request_id', '=', requestId)
    .execute();
}

/** Deletes a request that is answered. */
export async function deleteLogin(tx: Database, requestId: string): Promise<void> {
  await tx.deleteFrom('login_requests').where('request_id', '=', requestId).execute();
}
