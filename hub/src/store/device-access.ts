import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { batch } from '../db/batch.ts';

/** A user and a device, by their raw ids. */
interface AccessQuestion {
  readonly userId: string;
  readonly deviceId: string;
  /** Whether administrators have access to all devices; not with a user token. */
  readonly countsAdministrators: boolean;
}

/** Whether a user may access a device, as a member of its project or as an administrator. Questions at the same time share a statement. */
export const hasDeviceAccess = batch(findAccess);

async function findAccess(db: Database, questions: readonly AccessQuestion[]): Promise<boolean[]> {
  const users = questions.map(({ userId }) => userId);
  const devices = questions.map(({ deviceId }) => deviceId);
  const countsAdministrators = questions.map((question) => question.countsAdministrators);
  // The lateral subquery with a limit looks each pair up by indexes; a plain join could scan whole tables.
  const { rows } = await sql<{ place: number }>`
    select q.place::int as place
    from unnest(${users}::text[], ${devices}::text[], ${countsAdministrators}::boolean[])
        with ordinality as q(user_id, device_id, counts_administrators, place),
      lateral (select 1 from devices d, users u
        where d.device_id = q.device_id and u.user_id = q.user_id and u.disabled_at is null
          and ((u.is_admin and q.counts_administrators)
            or exists (select 1 from project_members m where m.project_id = d.project_id and m.user_id = u.user_id))
        limit 1) as allowed`.execute(db);
  const allowed = new Set(rows.map(({ place }) => place));
  return questions.map((_, index) => allowed.has(index + 1));
}
