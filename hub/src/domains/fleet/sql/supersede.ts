import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** Cancels installs of the same package that wait on the devices of an operation that has just been enrolled: they would install an older version after it, or the other way round. */
export async function supersedeInstalls(
  tx: Database,
  operation: { readonly operationId: string; readonly projectId: string; readonly name: string },
  packageId: string,
  now: Date,
): Promise<void> {
  await sql`
    with older as materialized (
      select fleet_operation_id from fleet_operations where project_id = ${operation.projectId} and installs_package = ${packageId}
        and fleet_operation_id <> ${operation.operationId} and status in ('Running', 'Paused')
    ), picked as materialized (
      select o.device_operation_id from device_operations o
      where o.fleet_operation_id in (select fleet_operation_id from older) and o.is_latest and o.status = 'Pending' and o.device_id in (
        select n.device_id from device_operations n where n.fleet_operation_id = ${operation.operationId})
      for update of o skip locked
    )
    update device_operations o set status = 'Cancelled', outcome = 'Superseded', completed_at = ${now}, updated_at = ${now},
      last_error = ${`Superseded by "${operation.name}".`}
    from picked where o.device_operation_id = picked.device_operation_id`.execute(tx);
}
