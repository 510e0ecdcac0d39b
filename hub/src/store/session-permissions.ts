import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { liveSession } from './accounts.ts';

/** What the user of a live session may see; ids are raw. */
interface SessionPermissions {
  readonly session_id: string;
  readonly digest: string;
  readonly is_changed: boolean;
  readonly is_admin: boolean;
  /** Both lists are empty if nothing has changed. */
  readonly project_ids: readonly string[];
  readonly repository_ids: readonly string[];
}

interface AskedSession {
  /** The raw id. */
  readonly sessionId: string;
  /** The digest of what is known already. */
  readonly digest: string | null;
}

/** Reads the permissions of sessions in one statement; sessions that have ended, and those of disabled users, are left out. */
export async function readSessionPermissions(
  tx: Database,
  asked: readonly AskedSession[],
  now: Date,
): Promise<SessionPermissions[]> {
  const { rows } = await sql<SessionPermissions>`
    select asked.session_id, digest, is_changed, is_admin,
      case when is_changed then project_ids else '{}' end as project_ids,
      case when is_changed then repository_ids else '{}' end as repository_ids
    from unnest(${asked.map(({ sessionId }) => sessionId)}::text[], ${asked.map(({ digest }) => digest)}::text[])
      as asked(session_id, digest_before),
      lateral (select u.user_id, u.is_admin from user_sessions s join users u using (user_id)
        where s.session_id = asked.session_id and ${liveSession(now)} and u.disabled_at is null limit 1) as person,
      lateral (select
        array(select project_id from project_members where user_id = person.user_id order by 1) as project_ids,
        array(select repository_id from repository_members where user_id = person.user_id union
          select l.repository_id from project_members m join project_repositories l using (project_id)
          where m.user_id = person.user_id order by 1) as repository_ids) as seen,
      lateral (select md5(concat_ws('/', is_admin, array_to_string(project_ids, ','), array_to_string(repository_ids, ','))) as digest) as hashed,
      lateral (select digest is distinct from digest_before as is_changed) as compared`.execute(tx);
  return rows;
}
