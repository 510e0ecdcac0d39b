import { sql } from 'kysely';
import type { ProxyGrant } from '../auth/proxy-token.ts';
import type { Database } from '../db/connect.ts';
import { liveSession } from './accounts.ts';

/**
 * Whether a grant is still valid: its session or user token exists, and its user may access the device as a member of the project or,
 * with a session, as an administrator.
 */
export async function isGrantValid(tx: Database, grant: ProxyGrant, now: Date): Promise<boolean> {
  const { userId, deviceId, sessionId = null, tokenId = null } = grant;
  const { rows } = await sql`
    select 1 from devices d, users u
    where d.device_id = ${deviceId} and u.user_id = ${userId}
      and ((u.is_admin and ${tokenId}::text is null)
        or exists (select 1 from project_members m where m.project_id = d.project_id and m.user_id = u.user_id))
      and (${sessionId}::text is null or exists (
        select 1 from user_sessions s where s.session_id = ${sessionId} and s.user_id = u.user_id and ${liveSession(now)}))
      and (${tokenId}::text is null or exists (
        select 1 from user_tokens t where t.token_id = ${tokenId} and t.user_id = u.user_id))`.execute(tx);
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
