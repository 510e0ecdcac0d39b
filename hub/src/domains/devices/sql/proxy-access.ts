import { sql } from 'kysely';
import type { ProxyGrant } from '../../../auth/proxy-token.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { planOnceValue } from '../../../platform/db/plan-once.ts';

/**
 * Whether a grant is still valid: its session or user token exists and has not expired, the token reaches the device, and its user may access the device as a
 * member of the project or as an administrator.
 */
export async function isGrantValid(
  db: Database,
  { userId, deviceId, sessionId, tokenId }: ProxyGrant,
  now: Date,
): Promise<boolean> {
  const [session, token] = [planOnceValue(sessionId ?? null, 'text'), planOnceValue(tokenId ?? null, 'text')];
  const { rows } = await sql`
    select 1 from devices d, users u left join user_tokens t on t.user_id = u.user_id and t.token_id = ${token}
    where d.device_id = ${deviceId} and u.user_id = ${userId} and u.disabled_at is null
      and ((u.is_admin and (${token} is null or t.is_administrator))
        or exists (select 1 from project_members m where m.project_id = d.project_id and m.user_id = u.user_id))
      and (${session} is null or exists (
        select 1 from user_sessions s where s.session_id = ${session} and s.user_id = u.user_id
          and s.expires_at > ${now} and s.last_used_at + s.idle_timeout_secs * interval '1 second' > ${now}))
      and (${token} is null or (not t.is_read_only and coalesce('forward' = any(t.verbs), true) and coalesce(t.expires_at > ${now}, t.token_id is not null)
        and (t.project_ids is null or d.project_id = any(t.project_ids))))`.execute(db);
  return rows.length > 0;
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
