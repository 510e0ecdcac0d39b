import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { liveSession } from '../sql/accounts.ts';

interface KnownSession {
  readonly sessionId: Id<'session'>;
  /** The digest of what is known already. */
  readonly digest?: string | undefined;
}

/** What a user may see. */
interface Seen {
  readonly isAdmin: boolean;
  readonly projectIds: readonly Id<'project'>[];
  readonly repositoryIds: readonly Id<'repository'>[];
}

/** Which sessions have ended, and which of their users see something else than the digest says; without a digest also what. */
interface SessionPermissions {
  readonly ended: readonly Id<'session'>[];
  readonly changed: readonly { readonly userId: Id<'user'>; readonly digest: string; readonly seen?: Seen }[];
}

/** Returns what the users of live sessions may see, for the live views that depend on them. */
export const GetSessionPermissions: Internal<{ sessions: readonly KnownSession[] }, SessionPermissions> = {
  name: 'users_GetSessionPermissions',
  isQuery: true,
  async run({ tx, input, now }) {
    const asked = input.sessions.map(({ sessionId, digest }) => ({
      sessionId: ids.session.raw(sessionId),
      digest: digest ?? null,
    }));
    const found = await readSessionPermissions(tx, asked, now);
    const live = new Set(found.flatMap((row) => row.session_ids));
    return {
      ended: asked.flatMap(({ sessionId }) => (live.has(sessionId) ? [] : [ids.session.of(sessionId)])),
      changed: found
        .filter((row) => row.is_changed)
        .map(({ user_id, digest, is_admin: isAdmin, project_ids, repository_ids }) => ({
          userId: ids.user.of(user_id),
          digest,
          ...(project_ids === null || repository_ids === null
            ? {}
            : {
                seen: {
                  isAdmin,
                  projectIds: project_ids.map(ids.project.of),
                  repositoryIds: repository_ids.map(ids.repository.of),
                },
              }),
        })),
    };
  },
};

/** What the user of live sessions may see; ids are raw. */
interface UserPermissions {
  readonly user_id: string;
  readonly session_ids: readonly string[];
  readonly digest: string;
  readonly is_changed: boolean;
  readonly is_admin: boolean;
  /** Null unless asked for. */
  readonly project_ids: readonly string[] | null;
  readonly repository_ids: readonly string[] | null;
}

interface AskedSession {
  /** The raw id. */
  readonly sessionId: string;
  /** The digest of what is known already; null to ask for all. */
  readonly digest: string | null;
}

/** Reads the permissions of the users of sessions in one statement; sessions that have ended, and those of disabled users, are left out. */
async function readSessionPermissions(
  tx: Database,
  asked: readonly AskedSession[],
  now: Date,
): Promise<UserPermissions[]> {
  const { rows } = await sql<UserPermissions>`
    select user_id, session_ids, digest, digest is distinct from digest_before as is_changed, is_admin,
      case when digest_before is null then project_ids end as project_ids,
      case when digest_before is null then repository_ids end as repository_ids
    from (
      select u.user_id, u.is_admin, array_agg(asked.session_id) as session_ids, max(asked.digest) as digest_before
      from unnest(${asked.map(({ sessionId }) => sessionId)}::text[], ${asked.map(({ digest }) => digest)}::text[]) as asked(session_id, digest)
      join user_sessions s using (session_id) join users u using (user_id)
      where ${liveSession(now)} and u.disabled_at is null group by u.user_id) as person,
      lateral (select
        array(select project_id from project_members where user_id = person.user_id order by 1) as project_ids,
        array(select repository_id from repository_members where user_id = person.user_id union
          select l.repository_id from project_members m join project_repositories l using (project_id)
          where m.user_id = person.user_id order by 1) as repository_ids) as seen,
      lateral (select md5(concat_ws('/', is_admin, array_to_string(project_ids, ','), array_to_string(repository_ids, ','))) as digest) as hashed`.execute(
    tx,
  );
  return rows;
}
