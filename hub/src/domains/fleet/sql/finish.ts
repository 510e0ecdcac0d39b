import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { countsSql, type Counts } from './fleet-operations.ts';

/** How an operation ended, with a digest of how each device did. */
export interface Finish {
  readonly counts: Counts;
  readonly selectionErrors: number;
  readonly digest: string;
}

/** Reads how all devices of an operation ended. The digest is over each device with its attempt, status and time, so that the audit log covers them. */
export async function readFinish(tx: Database, operationId: string): Promise<Finish> {
  const { rows } = await sql<Finish>`
    select ${countsSql} as counts,
      (select count(*) from fleet_selection_errors e where e.fleet_operation_id = ${operationId}) as "selectionErrors",
      encode(sha256(convert_to(coalesce(string_agg(concat_ws(' ', o.device_id, o.attempt, o.status, extract(epoch from o.completed_at)), chr(10)
        order by o.device_id), ''), 'UTF8')), 'hex') as digest
    from device_operations o where o.fleet_operation_id = ${operationId} and o.is_latest`.execute(tx);
  return rows[0] as Finish;
}

/** Whether an operation that ended so has failed. */
export function hasFailed({ counts, selectionErrors }: Finish): boolean {
  return counts.failed + counts.timedOut - counts.notDelivered + selectionErrors > 0;
}

/** Records how an operation ended that is locked. */
export async function setFinished(
  tx: Database,
  operationId: string,
  { counts }: Finish,
  status: 'Completed' | 'Failed' | 'Cancelled',
  now: Date,
): Promise<void> {
  await sql`update fleet_operations set status = ${status}, completed_at = ${now}, final_counts = ${JSON.stringify(counts)}::jsonb
    where fleet_operation_id = ${operationId}`.execute(tx);
}

/** Cancels devices of an operation on which nothing has begun, as many as one transaction should; whether there may be more. */
export async function cancelPending(tx: Database, operationId: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with picked as materialized (
      select device_operation_id from device_operations where fleet_operation_id = ${operationId} and is_latest and status = 'Pending'
      limit ${sql.lit(cancelledAtOnce)} for update skip locked
    )
    update device_operations o set status = 'Cancelled', completed_at = ${now}, updated_at = ${now}
    from picked where o.device_operation_id = picked.device_operation_id`.execute(tx);
  return Number(numAffectedRows ?? 0n) >= cancelledAtOnce;
}

const cancelledAtOnce = 5_000;

/** Locks devices of an operation on which it runs, and returns the raw ids of their operations. */
export async function lockRunning(tx: Database, operationId: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select device_operation_id as id from device_operations where fleet_operation_id = ${operationId} and is_latest and status = 'Running'
    limit ${most} for update skip locked`.execute(tx);
  return rows.map(({ id }) => id);
}
