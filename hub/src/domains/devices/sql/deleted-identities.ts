import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

const rememberedMs = 30 * 86_400_000;
/** The most that is remembered of one project: its newest. */
const mostPerProject = 100_000;

/** SQL that notes fingerprints, by lookup key, and certificates as deleted: `deleted` selects `project_id` and `identity`. */
export function noteDeleted(deleted: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  return sql`
    insert into deleted_identities (project_id, identity, deleted_at)
      select distinct project_id, identity, ${now}::timestamptz from (${deleted}) as deleted order by identity
    on conflict (project_id, identity) do update set deleted_at = excluded.deleted_at`;
}

/** Whether one of these fingerprints and certificates was deleted from a project, by its raw id, within 30 days. */
export async function wasDeletedLately(
  tx: Database,
  projectId: string,
  identities: readonly string[],
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from deleted_identities where project_id = ${projectId} and identity = any(${identities})
      and deleted_at > ${new Date(now.getTime() - rememberedMs)} limit 1`.execute(tx);
  return rows.length > 0;
}

/** Forgets what was deleted more than 30 days ago, and of each project what exceeds its newest 100,000. */
export async function forgetDeletedIdentities(db: Database, now: Date): Promise<void> {
  await sql`
    delete from deleted_identities where deleted_at <= ${new Date(now.getTime() - rememberedMs)}
      or (project_id, identity) in (
        select project_id, identity from (
          select project_id, identity, row_number() over (partition by project_id order by deleted_at desc) as place
          from deleted_identities
        ) as placed where place > ${mostPerProject}
      )`.execute(db);
}
