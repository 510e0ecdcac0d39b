import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { historyPeriods } from './history-columns.ts';

/** Rows that one step deletes at most. */
const rowsAtOnce = 10_000;

/** Deletes some of the rows that are too old or of a deleted project or repository, looking up each subject. Resolves with whether there may be more. */
export async function deleteOldHistory(tx: Database, now: Date): Promise<{ readonly hasMore: boolean }> {
  const periods = historyPeriods.map(
    ({ stepSecs, keptSecs }) =>
      sql`(${sql.lit(stepSecs)}, ${new Date(now.getTime() - keptSecs * 1000)}::timestamptz)`,
  );
  const { numAffectedRows } = await sql`
    with recursive subjects as (
      (select kind, subject from history order by kind, subject limit 1)
      union all
      select next.kind, next.subject from subjects s cross join lateral (
        select kind, subject from history h where (h.kind, h.subject) > (s.kind, s.subject) order by kind, subject limit 1
      ) as next
    ), aged as (
      select s.*, t.step_secs, case when s.kind = 'Project' and p.project_id is null or s.kind = 'Repository' and r.repository_id is null then 'infinity' else t.oldest end as oldest
      from subjects s left join projects p on s.kind = 'Project' and p.project_id = s.subject
      left join repositories r on s.kind = 'Repository' and r.repository_id = s.subject
      cross join (values ${sql.join(periods)}) as t(step_secs, oldest)
    )
    delete from history where ctid = any(array(
      select old.ctid from aged a cross join lateral (
        select ctid from history h
        where h.kind = a.kind and h.subject = a.subject and h.step_secs = a.step_secs and h.at < a.oldest limit ${rowsAtOnce}
      ) as old limit ${rowsAtOnce}
    ))`.execute(tx);
  return { hasMore: Number(numAffectedRows ?? 0n) === rowsAtOnce };
}
