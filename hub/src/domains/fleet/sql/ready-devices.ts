import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { isConnected } from '../../devices/index.ts';
import { isInWindow } from '../../operations/index.ts';

/** How many more devices an operation may run on at the same time. */
export async function freeSlots(tx: Database, operationId: string, maxInFlight: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from device_operations where fleet_operation_id = ${operationId} and is_latest and status = 'Running'`.execute(
    tx,
  );
  return maxInFlight - (rows[0]?.count ?? 0);
}

/**
 * Locks devices of an operation that may begin: released, connected, and with nothing that runs or that waited for longer. Returns the raw ids of their operations, the oldest first.
 */
export async function lockReady(
  tx: Database,
  operationId: string,
  most: number,
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with picked as materialized (
      select o.device_operation_id as id from device_operations o join devices d using (device_id)
      where o.fleet_operation_id = ${operationId} and o.status = 'Pending' and o.released_at is not null and ${isConnected(now)}
        and not exists (select 1 from device_operations r where r.device_id = o.device_id and (r.status = 'Running'
          or r.status = 'Pending' and (r.released_at, r.device_operation_id) < (o.released_at, o.device_operation_id) and (
            r.fleet_operation_id is null or exists (
              select 1 from fleet_operations f where f.fleet_operation_id = r.fleet_operation_id and f.status = 'Running' and ${isInWindow(now)}))))
      order by o.released_at, o.device_operation_id limit ${most} for update of o skip locked
    )
    select id from picked`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The raw ids of the operations that the driver has something to do for. */
export async function findDriven(tx: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select fleet_operation_id as id from fleet_operations where status in ('Running', 'Paused', 'Cancelled') and completed_at is null
      and status <> 'Paused' order by fleet_operation_id`.execute(tx);
  return rows.map(({ id }) => id);
}
