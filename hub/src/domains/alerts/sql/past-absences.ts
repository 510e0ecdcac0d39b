import type { AlertCondition } from '@corral/contract';
import { sql } from 'kysely';
import { planEachTime, type Database } from '../../../platform/db/connect.ts';
import { readDeviceFilter } from '../../devices/index.ts';

const dayMs = 86_400_000;
const dayCount = 30;
/** Of more devices these are looked at, whose ids are random: each has up to 50 connections. */
const mostDevices = 2_000;

interface Asked {
  readonly projectId: string;
  readonly condition: Extract<AlertCondition, { kind: 'Offline' }>;
  readonly now: Date;
  readonly db: Database;
}

/** How many absences of devices that a rule would have told began on each of the last 30 days of UTC, the oldest first; not those that the hub caused. */
export async function countPastAbsences(
  tx: Database,
  { projectId, condition, now, db }: Asked,
): Promise<number[]> {
  const filter = await readDeviceFilter(tx, condition.filter, { projectId, now, db });
  const from = new Date((Math.floor(now.getTime() / dayMs) - dayCount + 1) * dayMs);
  const { rows } = await sql<{ day: number; count: number }>`
    with wanted as materialized (
      select d.device_id from devices d where d.project_id = ${projectId} and ${filter?.inSets ?? sql`true`}
    ),
    sample as materialized (select device_id from wanted order by device_id limit ${sql.lit(mostDevices)}),
    absences as (
      select c.ended_at, c.end_reason, c.end_cause,
        coalesce(lead(c.connected_at) over (partition by c.device_id order by c.connected_at), ${now}::timestamptz) as back_at
      from device_connections c join sample using (device_id)
    )
    select floor(extract(epoch from ended_at - ${from}::timestamptz) / 86400)::int as day,
      round(count(*) * greatest(1, (select count(*) from wanted)::float / ${sql.lit(mostDevices)}))::int as count
    from absences
    where ended_at >= ${from} and ended_at <= ${now} and back_at - ended_at >= make_interval(secs => ${condition.forSecs})
      and coalesce(end_reason, 'Unknown') not in ('NodeCrashed', 'ServerShutdown') and end_cause is distinct from 'Failed'
    group by 1 ${sql.raw(planEachTime)}`.execute(tx);
  const days = Array.from({ length: dayCount }, () => 0);
  for (const { day, count } of rows) days[day] = count;
  return days;
}
