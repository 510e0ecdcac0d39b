import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** What the instance has. */
export interface InstanceCounts {
  readonly users: number;
  readonly projects: number;
  readonly devices: number;
  readonly connectedDevices: number;
}

/** The counts of one day in UTC. */
export interface DayCounts extends InstanceCounts {
  /** `2026-11-20`. */
  readonly day: string;
}

const shownDays = 7;
const keptDays = 400;
const dayMs = 86_400_000;

/** Counts the instance as of now. A device counts as connected while a live node has a connection of it. */
export async function countInstance(tx: Database, now: Date): Promise<InstanceCounts> {
  const { rows } = await sql<InstanceCounts>`
    select (select count(*) from users where not is_service) as users, (select count(*) from projects) as projects,
      (select count(*) from devices) as devices, (
        select count(distinct c.device_id) from device_connections c join devices using (device_id) join cluster_nodes n using (node_id)
        where c.ended_at is null and n.lease_until > ${now}
      ) as "connectedDevices"`.execute(tx);
  return rows[0] ?? { users: 0, projects: 0, devices: 0, connectedDevices: 0 };
}

/** Records the counts of today in place of earlier ones; of connected devices the most of the day. Days of more than 400 days ago are deleted. */
export async function recordDay(tx: Database, counts: InstanceCounts, now: Date): Promise<void> {
  const { users, projects, devices, connectedDevices } = counts;
  await sql`
    insert into instance_days as d (day, users, projects, devices, connected_devices)
    values (${dayOf(now)}::date, ${users}, ${projects}, ${devices}, ${connectedDevices})
    on conflict (day) do update set users = excluded.users, projects = excluded.projects, devices = excluded.devices,
      connected_devices = greatest(d.connected_devices, excluded.connected_devices)`.execute(tx);
  await sql`delete from instance_days where day < ${dayOf(now, -keptDays)}::date`.execute(tx);
}

/** The counts of the last seven days as far as they were recorded, oldest first; those of today as of now. */
export async function lastDays(tx: Database, today: InstanceCounts, now: Date): Promise<DayCounts[]> {
  const { rows } = await sql<DayCounts>`
    select to_char(day, 'YYYY-MM-DD') as day, users, projects, devices, connected_devices as "connectedDevices"
    from instance_days where day > ${dayOf(now, -shownDays)}::date and day <= ${dayOf(now)}::date order by day`.execute(
    tx,
  );
  const recorded = rows.find(({ day }) => day === dayOf(now));
  const connectedDevices = Math.max(today.connectedDevices, recorded?.connectedDevices ?? 0);
  return [...rows.filter((row) => row !== recorded), { day: dayOf(now), ...today, connectedDevices }];
}

function dayOf(now: Date, offset = 0): string {
  return new Date(now.getTime() + offset * dayMs).toISOString().slice(0, 10);
}
