import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { stepsOfLastMinute } from './history-columns.ts';

interface ServedBytes {
  /** The raw id of a repository. */
  readonly subject: string;
  readonly bytes: number;
}

/** Adds what a node served of repositories within the last minute; of those that are deleted, nothing. In one order, so that nodes wait for each other. */
export async function addServedBytes(tx: Database, served: readonly ServedBytes[], now: Date): Promise<void> {
  const { hour, day } = stepsOfLastMinute(now);
  await sql`
    insert into history as known (kind, subject, step_secs, at, served_bytes)
    select 'Repository', s.subject, t.step_secs, t.at, s.bytes
    from jsonb_to_recordset(${JSON.stringify(served)}::jsonb) as s(subject text, bytes bigint)
      join repositories r on r.repository_id = s.subject
      cross join (values (3600, ${hour}::timestamptz), (86400, ${day}::timestamptz)) as t(step_secs, at) order by 2, 3
    on conflict (kind, subject, step_secs, at) do update set served_bytes = coalesce(known.served_bytes, 0) + excluded.served_bytes`.execute(
    tx,
  );
}
