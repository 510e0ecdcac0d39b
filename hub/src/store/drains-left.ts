import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/** What the jobs are called in `hub/src/jobs`. */
const [ofProjects, ofDevices] = ['delete-devices-of-deleted-projects', 'delete-events-of-deleted-devices'];
/** Nothing is counted beyond this, so that counting stays cheap. */
const countedAtMost = 100_000;

/** How many devices each kind of job that deletes what deletions have left still has before it: those of deleted projects, and deleted ones that may have events. */
export async function countDrainsLeft(tx: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ projects: number; devices: number }>`
    select (select count(*) from (
      select 1 from all_projects a join all_devices d using (project_id)
      where not exists (select 1 from projects p where p.project_id = a.project_id) limit ${countedAtMost}
    ) as counted) as projects, (
      select count(*) from (select 1 from deleted_devices limit ${countedAtMost}) as counted
    ) as devices`.execute(tx);
  const { projects = 0, devices = 0 } = rows[0] ?? {};
  return new Map([
    [ofProjects, projects + devices],
    [ofDevices, devices],
  ]);
}
