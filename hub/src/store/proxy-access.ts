import { sql } from 'kysely';
import type { ProxyGrant } from '../auth/proxy-token.ts';
import type { Database } from '../db/connect.ts';
import { batch } from '../db/batch.ts';
import { planOnce } from '../db/plan-once.ts';

interface GrantCheck {
  readonly grant: ProxyGrant;
  readonly now: Date;
}

/**
 * Whether a grant is still valid: its session or user token exists and has not expired, the token reaches the device, and its user may access the device as a
 * member of the project or as an administrator. Grants that are checked at the same time share a statement.
 */
export function isGrantValid(db: Database, grant: ProxyGrant, now: Date): Promise<boolean> {
  return checkInBatch(db, { grant, now });
}

const checkInBatch = batch(checkAll);

async function checkAll(db: Database, checks: readonly GrantCheck[]): Promise<boolean[]> {
  const column = (value: (check: GrantCheck) => string | undefined): (string | null)[] =>
    checks.map((check) => value(check) ?? null);
  const users = column(({ grant }) => grant.userId);
  const devices = column(({ grant }) => grant.deviceId);
  const sessions = column(({ grant }) => grant.sessionId);
  const tokens = column(({ grant }) => grant.tokenId);
  const times = column(({ now }) => now.toISOString());
  // The lateral subquery with a limit looks each grant up by indexes; a plain join could scan whole tables.
  const { rows } = await sql<{ place: number }>`
    select q.place::int as place
    from unnest(${planOnce(users, 'text')}, ${planOnce(devices, 'text')}, ${planOnce(sessions, 'text')}, ${planOnce(tokens, 'text')}, ${planOnce(times, 'timestamptz')})
        with ordinality as q(user_id, device_id, session_id, token_id, checked_at, place),
      lateral (select 1 from devices d, users u left join user_tokens t on t.user_id = u.user_id and t.token_id = q.token_id
        where d.device_id = q.device_id and u.user_id = q.user_id and u.disabled_at is null
          and ((u.is_admin and (q.token_id is null or t.is_administrator))
            or exists (select 1 from project_members m where m.project_id = d.project_id and m.user_id = u.user_id))
          and (q.session_id is null or exists (
            select 1 from user_sessions s where s.session_id = q.session_id and s.user_id = u.user_id
              and s.expires_at > q.checked_at
              and s.last_used_at + s.idle_timeout_secs * interval '1 second' > q.checked_at))
          and (q.token_id is null or (not t.is_read_only and coalesce(t.expires_at > q.checked_at, t.token_id is not null)
            and (t.project_ids is null or d.project_id = any(t.project_ids))))
        limit 1) as valid`.execute(db);
  const valid = new Set(rows.map(({ place }) => place));
  return checks.map((_, index) => valid.has(index + 1));
}

/** Redeems a single-use grant; false when it was redeemed before. The row is kept until the entry token has expired. */
export async function redeemOnce(
  tx: Database,
  grant: ProxyGrant,
  now: Date,
  expiresAt: Date,
): Promise<boolean> {
  await sql`delete from redeemed_proxy_tokens where expires_at < ${now}`.execute(tx);
  const redeemed = await tx
    .insertInto('redeemed_proxy_tokens')
    .values({ token_id: grant.id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_id')
    .executeTakeFirst();
  return redeemed !== undefined;
}

/** Whether a single-use grant was redeemed. */
export async function isRedeemed(tx: Database, grant: ProxyGrant): Promise<boolean> {
  const row = await tx
    .selectFrom('redeemed_proxy_tokens')
    .select('token_id')
    .where('token_id', '=', grant.id)
    .executeTakeFirst();
  return row !== undefined;
}
