import { sql } from 'kysely';
import { planEachTime, type Database } from '../../../platform/db/connect.ts';
import { foundSubjects, type Sought } from './found-subjects.ts';

const mostNamed = 10;

/** Counts what would fire now, and names the first ten. Throws a `FilterError` for a filter with a mistake. */
export async function previewFound(
  tx: Database,
  sought: Sought,
): Promise<{ readonly count: number; readonly names: string[] }> {
  const { select } = await foundSubjects(tx, sought);
  // These are so from now on: only a rule knows since when.
  const isOfNow = ['Missing', 'Matching'].includes(sought.condition.kind);
  const { rows } = await sql<{ count: number; names: string[] }>`
    with found as materialized (
      select f.name, f.since, f.subject from (${select}) as f where ${isOfNow ? sql`true` : sql`f.fires_at <= ${sought.now}`}
    )
    select (select count(*) from found) as count,
      array(select name from found order by since, subject limit ${sql.lit(mostNamed)}) as names ${sql.raw(planEachTime)}`.execute(
    tx,
  );
  return rows[0] ?? { count: 0, names: [] };
}
