import { deviceQuotas } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';

/** Counts of a project, as the SQL of `projectCounts` names them. */
export interface ProjectCounts {
  readonly devices: number;
  readonly connected: number;
  readonly pending: number;
}

/**
 * SQL that counts the devices, the connected devices and the pending certificates of a project, to be joined laterally; the statement's `projects` must be
 * named `p`. It reads the sums of project_counts: open connections on live nodes, less what devices with several of them count too much.
 */
export function projectCounts(now: Date): RawBuilder<ProjectCounts> {
  return sql<ProjectCounts>`
    select coalesce(sum(s.devices), 0)::bigint as devices, coalesce(sum(s.pending_certificates), 0)::bigint as pending,
      (coalesce(sum(s.open_connections) filter (where n.lease_until > ${now}), 0) - (
        select coalesce(sum(greatest(live.connections - 1, 0)), 0) from (
          select distinct d.device_id from additional_connections a join devices d using (device_id)
          where d.project_id = p.project_id
        ) as d cross join lateral (
          select count(*) as connections from device_connections c join cluster_nodes n using (node_id)
          where c.device_id = d.device_id and c.ended_at is null and n.lease_until > ${now}
        ) as live
      ))::bigint as connected
    from (
      select node_id, devices, pending_certificates, open_connections from project_counts where project_id = p.project_id
      union all
      select node_id, devices, pending_certificates, open_connections from project_count_changes where project_id = p.project_id
    ) as s left join cluster_nodes n using (node_id)`;
}

/** How many devices a project has and may have, by its raw id. Devices that other transactions are adding do not count yet. */
export async function readDeviceRoom(
  tx: Database,
  projectId: string,
): Promise<{ readonly devices: number; readonly maxDevices: number }> {
  const { rows } = await sql<{ devices: number; maxDevices: number }>`
    select coalesce(sum(devices), 0)::bigint as devices, ${quotaSql('devicesPerProject')} as "maxDevices" from (
      select devices from project_counts where project_id = ${projectId}
      union all
      select devices from project_count_changes where project_id = ${projectId}
    ) as s`.execute(tx);
  return rows[0] ?? { devices: 0, maxDevices: deviceQuotas.devicesPerProject };
}

/** Rows that one fold moves at most. */
const maxChanges = 20_000;

/** Adds the changes of counts to the counts, and removes counts of nothing and of deleted projects. Readers see each change exactly once. */
export async function foldProjectCounts(tx: Database): Promise<void> {
  const { rows } = await sql<{ projectId: string }>`
    with moved as (
      delete from project_count_changes where ctid = any(array(
        select ctid from project_count_changes limit ${maxChanges} for update skip locked
      )) returning *
    )
    insert into project_counts as known (project_id, node_id, devices, pending_certificates, open_connections)
    select project_id, node_id, sum(devices), sum(pending_certificates), sum(open_connections)
    from moved group by project_id, node_id order by project_id, node_id
    on conflict (project_id, node_id) do update set devices = known.devices + excluded.devices,
      pending_certificates = known.pending_certificates + excluded.pending_certificates,
      open_connections = known.open_connections + excluded.open_connections
    returning project_id as "projectId"`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    delete from project_counts c where project_id = any(${rows.map(({ projectId }) => projectId)})
      and ((devices = 0 and pending_certificates = 0 and open_connections = 0)
        or not exists (select 1 from all_projects a where a.project_id = c.project_id))`.execute(tx);
}
