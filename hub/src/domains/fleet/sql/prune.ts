import { sql } from 'kysely';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** Devices of all ended operations of a project together, and as many of all ended changes. */
const mostKeptDevices = 2_000_000;
const deletedAtOnce = 2_000;

/**
 * Deletes a part of the oldest ended operation that is beyond what a project keeps: its devices in portions, then itself. Whether there may be more.
 */
export async function pruneOperations(tx: Database): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with ended as (
      select fleet_operation_id, row_number() over newest as place, sum(coalesce((final_counts ->> 'total')::bigint, 0)) over newest as devices
      from fleet_operations where status in ('Completed', 'Failed', 'Cancelled') and completed_at is not null
      window newest as (partition by project_id order by completed_at desc, fleet_operation_id)
    )
    select f.fleet_operation_id as id from fleet_operations f join ended e using (fleet_operation_id)
    where e.place > ${sql.lit(amounts.endedOperations.max)} or (e.place > 1 and e.devices > ${sql.lit(mostKeptDevices)})
    order by f.completed_at limit 1 for update of f skip locked`.execute(tx);
  const [oldest] = rows;
  if (oldest === undefined) return false;
  const { numAffectedRows } = await sql`
    delete from device_operations where device_operation_id in (
      select device_operation_id from device_operations where fleet_operation_id = ${oldest.id} limit ${sql.lit(deletedAtOnce)})`.execute(
    tx,
  );
  if (Number(numAffectedRows ?? 0n) < deletedAtOnce)
    await sql`delete from fleet_operations where fleet_operation_id = ${oldest.id}`.execute(tx);
  return true;
}

/** Deletes a part of the oldest ended change that is beyond what a project keeps, as `pruneOperations` does. */
export async function pruneChanges(tx: Database): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with ended as (
      select change_id, row_number() over newest as place, sum(total) over newest as devices
      from fleet_changes where completed_at is not null
      window newest as (partition by project_id order by created_at desc, change_id)
    )
    select c.change_id as id from fleet_changes c join ended e using (change_id)
    where e.place > ${sql.lit(amounts.endedChanges.max)} or (e.place > 1 and e.devices > ${sql.lit(mostKeptDevices)})
    order by c.created_at limit 1 for update of c skip locked`.execute(tx);
  const [oldest] = rows;
  if (oldest === undefined) return false;
  // It is absent from now on: nobody takes back a part of it.
  await sql`update fleet_changes set is_pruned = true where change_id = ${oldest.id} and not is_pruned`.execute(
    tx,
  );
  const { numAffectedRows } = await sql`
    delete from fleet_change_devices where (change_id, device_id) in (
      select change_id, device_id from fleet_change_devices where change_id = ${oldest.id} limit ${sql.lit(deletedAtOnce)})`.execute(
    tx,
  );
  if (Number(numAffectedRows ?? 0n) < deletedAtOnce)
    await sql`delete from fleet_changes where change_id = ${oldest.id}`.execute(tx);
  return true;
}
