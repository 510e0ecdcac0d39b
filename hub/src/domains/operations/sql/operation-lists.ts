import type { Actor, Json } from '@corral/contract';
import { sql } from 'kysely';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { listOrder, type Slice, sortKey } from '../../../platform/db/paging/list-order.ts';
import type { OperationOutcome, OperationStatus, SecretPlace, Step } from './operations.ts';

/** An operation on a device as lists show it, by raw ids. */
export interface OperationRow {
  readonly device_operation_id: string;
  readonly project_id: string;
  readonly device_id: string;
  readonly fleet_operation_id: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly status: OperationStatus;
  readonly outcome: OperationOutcome | null;
  readonly last_error: string | null;
  readonly step_index: number;
  readonly step_count: number;
  readonly attempt: number;
  readonly created_by: Actor;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly updated_at: string;
}

/** The operations of a device, newest first. */
export const operationsNewestFirst = listOrder<OperationRow>('devices_QueryOperations', 'desc', [
  sortKey('created_at', 'timestamptz', sql`o.created_at`),
  sortKey('device_operation_id', 'text', sql`o.device_operation_id`),
]);

const columns = sql`o.device_operation_id, o.project_id, o.device_id, o.fleet_operation_id, o.name, o.description, o.status, o.outcome,
  o.last_error, o.step_index, o.step_count, o.attempt, coalesce(o.created_by, f.created_by) as created_by, o.created_at, o.started_at,
  o.completed_at, o.updated_at`;

/** Reads a slice of the operations of a device, by its raw id. */
export async function readOperations(tx: Database, deviceId: string, slice: Slice): Promise<OperationRow[]> {
  const { rows } = await sql<OperationRow>`
    select ${columns} from device_operations o left join fleet_operations f using (fleet_operation_id)
    where o.device_id = ${deviceId} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
  return rows;
}

interface StepsRow extends OperationRow {
  readonly steps: readonly Step[];
  readonly secret_places: readonly SecretPlace[];
}

/** Reads an operation with its steps, by its raw id. */
export async function readOperation(tx: Database, operationId: string): Promise<StepsRow | undefined> {
  const { rows } = await sql<StepsRow>`
    select ${columns}, coalesce(o.steps, f.steps) as steps, coalesce(o.secret_places, f.secret_places, '[]') as secret_places
    from device_operations o left join fleet_operations f using (fleet_operation_id) where o.device_operation_id = ${operationId}`.execute(
    tx,
  );
  return rows[0];
}

/** A step that has been reached. */
export interface StepRow {
  readonly step_index: number;
  readonly status: 'Running' | 'Succeeded' | 'Failed' | 'TimedOut' | 'Skipped';
  readonly carrier: 'Claim' | 'Channel' | 'Hub' | null;
  readonly output: Json | null;
  readonly error: string | null;
  readonly log: string[] | null;
  readonly checkpoint: Json | null;
  readonly started_at: string;
  readonly completed_at: string | null;
}

/** Reads the steps of an operation that have been reached, in order. */
export async function readReachedSteps(tx: Database, operationId: string): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    select step_index, status, carrier, output, error, log, checkpoint, started_at, completed_at
    from device_operation_steps where device_operation_id = ${operationId} order by step_index`.execute(tx);
  return rows;
}

/** Deletes the oldest operation by itself of a locked device that has ended, if it has as many as it may; false if none of them has ended. */
export async function makeRoom(tx: Database, deviceId: string): Promise<boolean> {
  const own = sql`device_id = ${deviceId} and fleet_operation_id is null`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from device_operations where ${own}`.execute(tx);
  if ((rows[0]?.count ?? 0) < amounts.deviceOperations.max) return true;
  const { numAffectedRows } = await sql`
    delete from device_operations where device_operation_id = (
      select device_operation_id from device_operations where ${own} and status not in ('Pending', 'Running')
      order by created_at, device_operation_id limit 1)`.execute(tx);
  return Number(numAffectedRows ?? 0n) > 0;
}

const keptDays = 90;
const deletedAtOnce = 1000;

/** Deletes some operations by themselves that ended 90 days ago or before; returns how many. */
export async function deleteOldOperations(tx: Database, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from device_operations where device_operation_id in (
      select device_operation_id from device_operations where fleet_operation_id is null
        and completed_at < ${now}::timestamptz - make_interval(days => ${keptDays}) limit ${deletedAtOnce})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}
