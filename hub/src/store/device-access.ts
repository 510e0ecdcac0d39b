import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { batch } from '../db/batch.ts';
import { planOnce } from '../db/plan-once.ts';

/** A user and a device, by their raw ids. */
interface AccessQuestion {
  readonly userId: string;
  readonly deviceId: string;
  /** The user token by which it would be accessed; null for a session. */
  readonly tokenId: string | null;
}

/** Whether a user may access a device, as a member of its project or as an administrator; with a token only within its bounds, and with full access. Questions at the same time share a statement. */
export const hasDeviceAccess = batch(findAccess);

async function findAccess(db: Database, questions: readonly AccessQuestion[]): Promise<boolean[]> {
  const users = questions.map(({ userId }) => userId);
  const devices = questions.map(({ deviceId }) => deviceId);
  const tokens = questions.map(({ tokenId }) => tokenId);
  // The lateral subquery with a limit looks each pair up by indexes; a plain join could scan whole tables.
  const { rows } = await sql<{ place: number }>`
    select q.place::int as place
    from unnest(${planOnce(users, 'text')}, ${planOnce(devices, 'text')}, ${planOnce(tokens, 'text')})
        with ordinality as q(user_id, device_id, token_id, place),
      lateral (select 1 from devices d, users u left join user_tokens t on t.user_id = u.user_id and t.token_id = q.token_id
        where d.device_id = q.device_id and u.user_id = q.user_id and u.disabled_at is null
          and (q.token_id is null or (not t.is_read_only and (t.project_ids is null or d.project_id = any(t.project_ids))))
          and ((u.is_admin and (q.token_id is null or t.is_administrator))
            or exists (select 1 from project_members m where m.project_id = d.project_id and m.user_id = u.user_id))
        limit 1) as allowed`.execute(db);
  const allowed = new Set(rows.map(({ place }) => place));
  return questions.map((_, index) => allowed.has(index + 1));
}
