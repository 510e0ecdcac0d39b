import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { planOnceValue } from '../../../platform/db/plan-once.ts';

/** A user and a device, by their raw ids. */
interface AccessQuestion {
  readonly userId: string;
  readonly deviceId: string;
  /** The user token by which it would be accessed; null for a session. */
  readonly tokenId: string | null;
}

/** Whether a user may access a device, as a member of its project or as an administrator; with a token only within its bounds, and with full access or the verb forward. */
export async function hasDeviceAccess(
  db: Database,
  { userId, deviceId, tokenId }: AccessQuestion,
): Promise<boolean> {
  const token = planOnceValue(tokenId, 'text');
  const { rows } = await sql`
    select 1 from devices d, users u left join user_tokens t on t.user_id = u.user_id and t.token_id = ${token}
    where d.device_id = ${deviceId} and u.user_id = ${userId} and u.disabled_at is null
      and (${token} is null or (not t.is_read_only and coalesce('forward' = any(t.verbs), true) and (t.project_ids is null or d.project_id = any(t.project_ids))))
      and ((u.is_admin and (${token} is null or t.is_administrator))
        or exists (select 1 from project_members m where m.project_id = d.project_id and m.user_id = u.user_id))`.execute(
    db,
  );
  return rows.length > 0;
}
