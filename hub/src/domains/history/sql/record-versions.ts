import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { ReportedVersions } from '../../../platform/db/history-tables.ts';
import { readVersions } from '../../devices/index.ts';
import { maxVersions, stepsOfLastMinute } from './history-columns.ts';

/** Projects that one step looks at. */
const projectsAtOnce = 20;

interface Look {
  /** The database outside of the transaction, for what is noted. */
  readonly db: Database;
  readonly now: Date;
}

/** Records what the devices of some projects report as versions, once in each hour that has figures. Resolves with whether there may be more. */
export async function recordVersions(
  tx: Database,
  { db, now }: Look,
): Promise<{ readonly hasMore: boolean }> {
  const { hour, day } = stepsOfLastMinute(now);
  const { rows } = await sql<{ projectId: string }>`
    select p.project_id as "projectId" from projects p join history h on h.kind = 'Project' and h.subject = p.project_id and h.step_secs = 3600 and h.at = ${hour}
    where h.versions is null and h.connected is not null limit ${projectsAtOnce}`.execute(tx);
  for (const { projectId } of rows) {
    const versions = (await readVersions(tx, { projectId, db, now })).map(frequentOf);
    await sql`
      update history set versions = ${JSON.stringify(versions)}::jsonb
      where kind = 'Project' and subject = ${projectId} and (step_secs, at) in ((3600, ${hour}::timestamptz), (86400, ${day}::timestamptz))`.execute(
      tx,
    );
  }
  return { hasMore: rows.length === projectsAtOnce };
}

/** Cuts a field to its most frequent values. */
function frequentOf({ field, values, others }: ReportedVersions): ReportedVersions {
  const rest = values.slice(maxVersions).reduce((sum, { devices }) => sum + devices, others);
  return { field, values: values.slice(0, maxVersions), others: rest };
}
