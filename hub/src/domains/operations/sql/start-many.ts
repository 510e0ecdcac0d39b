import { sql } from 'kysely';
import { startLocks, type Step, type Turn } from './operations.ts';
import { timeoutOf } from './steps.ts';

/** Operations on devices that are parts of one on a fleet, by the raw ids. */
export interface Starting {
  readonly projectId: string;
  readonly fleetOperationId: string;
  readonly operationIds: readonly string[];
  /** The first step of all of them: one that devices do, without a condition. */
  readonly step: Step;
}

/** Sets pending operations that are locked to Running with their first step, except where the device has one that runs, or another transaction is starting one there. Returns the raw ids of the devices. */
export async function startMany(
  { tx, now }: Turn,
  { projectId, fleetOperationId, operationIds, step }: Starting,
): Promise<string[]> {
  // A statement of its own, as where one is started.
  const { rows: held } = await sql<{ id: string }>`
    with named as materialized (
      select device_operation_id as id, device_id from device_operations
      where device_operation_id in (select jsonb_array_elements_text(${JSON.stringify(operationIds)}::jsonb))
    )
    select id from named where pg_try_advisory_xact_lock(${sql.lit(startLocks)}, hashtext(device_id))`.execute(
    tx,
  );
  const { rows } = await sql<{ device_id: string }>`
    with begun as (
      update device_operations o set status = 'Running', started_at = ${now}, updated_at = ${now}
      where o.device_operation_id in (select jsonb_array_elements_text(${JSON.stringify(held.map(({ id }) => id))}::jsonb)) and o.status = 'Pending'
        and not exists (select 1 from device_operations r where r.device_id = o.device_id and r.status = 'Running')
      returning o.device_operation_id, o.device_id
    ), stepped as (
      insert into device_operation_steps (device_operation_id, step_index, kind, status, timeout_secs, started_at)
      select device_operation_id, 0, ${step.kind}, 'Running', ${timeoutOf(step) ?? null}::bigint, ${now} from begun
    ), noted as (
      insert into operation_events (project_id, fleet_operation_id, device_operation_id, device_id, at, kind, data)
      select ${projectId}, ${fleetOperationId}, device_operation_id, device_id, ${now}, 'Started', '{}' from begun
    )
    select device_id from begun`.execute(tx);
  return rows.map(({ device_id }) => device_id);
}
