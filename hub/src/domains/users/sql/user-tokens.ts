import { ids, type TokenVerb } from '@corral/contract';
import { sql } from 'kysely';
import { newRawSecret } from '../../../auth/random.ts';
import { hashSecret, lookupKey } from '../../../auth/secret.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { amounts } from '../../../limits/amounts.ts';

/** What a new user token may do; ids are raw, null for all. */
export interface NewTokenBounds {
  readonly is_read_only: boolean;
  readonly project_ids: readonly string[] | null;
  readonly repository_ids: readonly string[] | null;
  readonly is_administrator: boolean;
  readonly verbs: readonly TokenVerb[] | null;
  readonly expires_at: Date;
  /** The publisher that it is issued for, by its raw id. */
  readonly publisher_id?: string;
}

/** The bounds of a user token as they are stored; ids are raw, null for all. */
export interface TokenBoundsRow {
  readonly is_read_only: boolean;
  readonly project_ids: readonly string[] | null;
  readonly repository_ids: readonly string[] | null;
  readonly is_administrator: boolean;
  readonly verbs: readonly TokenVerb[] | null;
  readonly expires_at: string | null;
}

/** What a user token may do, as actions answer it. */
export function tokenBoundsOf(row: TokenBoundsRow) {
  return {
    access: row.is_read_only ? ('read' as const) : ('full' as const),
    ...(row.verbs === null ? {} : { verbs: [...row.verbs] }),
    ...(row.project_ids === null ? {} : { projects: row.project_ids.map(ids.project.of) }),
    ...(row.repository_ids === null ? {} : { repositories: row.repository_ids.map(ids.repository.of) }),
    administrator: row.is_administrator,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
  };
}

/** The bounds of a user token, by raw id; undefined if there is none. */
export function readTokenBounds(tx: Database, tokenId: string): Promise<TokenBoundsRow | undefined> {
  return tx
    .selectFrom('user_tokens')
    .select(['is_read_only', 'project_ids', 'repository_ids', 'is_administrator', 'verbs', 'expires_at'])
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
}

/** Adds a token of a user, by raw id, and returns its raw secret, of which only the hash is stored; undefined if the user has too many. */
export async function addUserToken(
  tx: Database,
  userId: string,
  name: string | null,
  bounds: NewTokenBounds,
  now: Date,
): Promise<string | undefined> {
  const secret = newRawSecret();
  const { rows } = await sql`
    insert into user_tokens (token_id, secret_hash, user_id, name, created_at, is_read_only, project_ids, repository_ids,
      is_administrator, verbs, expires_at, publisher_id)
    select ${lookupKey(secret)}, ${hashSecret(secret)}, ${userId}, ${name}, ${now}, ${bounds.is_read_only},
      ${bounds.project_ids}::text[], ${bounds.repository_ids}::text[], ${bounds.is_administrator}, ${bounds.verbs}::text[], ${bounds.expires_at},
      ${bounds.publisher_id ?? null}
    where (select count(*) from user_tokens where user_id = ${userId}) < ${amounts.userTokens.max}
    returning 1`.execute(tx);
  return rows.length === 0 ? undefined : secret;
}

/** Of these tokens, by raw ids, those that have expired, do not exist, or belong to a disabled user. */
export async function endedTokens(tx: Database, tokenIds: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${tokenIds}::text[]) as asked(id) where not exists (
      select 1 from user_tokens t join users u using (user_id)
      where t.token_id = asked.id and coalesce(t.expires_at > ${now}, true) and u.disabled_at is null)`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

const dayMs = 86_400_000;
/** How long before a token expires its user gets an e-mail. */
const announcedMs = 7 * dayMs;
/** How long an expired token is listed. */
const rememberedMs = 30 * dayMs;
const atOnce = 500;

/** Marks the tokens that expire within a week, unless they were made for less, as announced, and returns them; at most 500. */
export async function claimExpiringTokens(
  tx: Database,
  now: Date,
): Promise<{ token_id: string; user_id: string }[]> {
  const { rows } = await sql<{ token_id: string; user_id: string }>`
    update user_tokens set expiry_announced_at = ${now} where token_id = any(array(
      select token_id from user_tokens
      where expires_at > ${now} and expires_at <= ${new Date(now.getTime() + announcedMs)}
        and expiry_announced_at is null and expires_at - created_at > interval '7 days 1 second'
      order by expires_at limit ${atOnce} for update skip locked
    )) returning token_id, user_id, name`.execute(tx);
  return rows;
}

/** Deletes the tokens that expired 30 days ago, at most 500, and returns them. */
export async function deleteExpiredTokens(
  tx: Database,
  now: Date,
): Promise<{ token_id: string; user_id: string; name: string | null }[]> {
  const { rows } = await sql<{ token_id: string; user_id: string; name: string | null }>`
    delete from user_tokens where token_id = any(array(
      select token_id from user_tokens where expires_at <= ${new Date(now.getTime() - rememberedMs)}
      order by expires_at limit ${atOnce} for update skip locked
    )) returning token_id, user_id, name`.execute(tx);
  return rows;
}
