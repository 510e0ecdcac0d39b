import { sql } from 'kysely';
import type { ProxyPass } from '../auth/proxy-token.ts';
import type { Database } from '../db/connect.ts';
import { liveSession } from './accounts.ts';

/**
 * Tells whether what a pass rests on still holds: the session or token that asked for it lives, and its user may access the device,
 * as a member of its project, or as an administrator, whom a token never speaks for.
 */
export async function isPassAlive(tx: Database, pass: ProxyPass, now: Date): Promise<boolean> {
  const { userId, deviceId, sessionId = null, tokenId = null } = pass;
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

/** Uses a pass up that works once; false when it was used before. It is remembered until its token would be outdated anyway. */
export async function useUp(tx: Database, pass: ProxyPass, now: Date, outdatedAt: Date): Promise<boolean> {
  await sql`delete from redeemed_proxy_tokens where expires_at < ${now}`.execute(tx);
  const used = await tx
    .insertInto('redeemed_proxy_tokens')
    .values({ token_id: pass.id, expires_at: outdatedAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Tells whether a pass that works once has been used. */
export async function isUsedUp(tx: Database, pass: ProxyPass): Promise<boolean> {
  const row = await tx
    .selectFrom('redeemed_proxy_tokens')
    .select('token_id')
    .where('token_id', '=', pass.id)
    .executeTakeFirst();
  return row !== undefined;
}
