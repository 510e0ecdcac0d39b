import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { repositoryCounts } from '../../repositories/index.ts';
import { stepsOfLastMinute } from './history-columns.ts';

/** Records what the repositories store, once in each hour in which a hub was there, and that nothing was served where no node says otherwise. */
export async function recordStoredBytes(tx: Database, now: Date): Promise<void> {
  const { hour, day } = stepsOfLastMinute(now);
  await sql`
    with looked as materialized (
      select r.repository_id, c.bytes from repositories r cross join lateral (${repositoryCounts}) as c
      where exists (select 1 from history where kind = 'Instance' and subject = '' and step_secs = 3600 and at = ${hour} and connected is not null)
        and not exists (select 1 from history where kind = 'Repository' and subject = r.repository_id and step_secs = 3600 and at = ${hour} and stored_bytes is not null)
    )
    insert into history as known (kind, subject, step_secs, at, stored_bytes, served_bytes)
    select 'Repository', repository_id, t.step_secs, t.at, bytes, 0
    from looked cross join (values (3600, ${hour}::timestamptz), (86400, ${day}::timestamptz)) as t(step_secs, at) order by 2, 3
    on conflict (kind, subject, step_secs, at) do update set stored_bytes = excluded.stored_bytes, served_bytes = coalesce(known.served_bytes, 0)`.execute(
    tx,
  );
}
