import { type Actor, type EventName, type Input, type Json } from '@corral/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { liveConnection } from '../../devices/index.ts';

/** The parts of a call with which operations go on. */
export interface Turn {
  readonly tx: Database;
  readonly now: Date;
  readonly emit: (name: EventName, data: Readonly<Record<string, Json>>) => unknown;
}

/** A step as it was given. */
export type Step = Input<'devices_CreateOperation'>['steps'][number];

/** The place of a secret in the steps of an operation: the index of the step, and the way into the input of its command. */
export type SecretPlace = readonly [number, ...(string | number)[]];

/** How an operation on a device stands. */
export type OperationStatus = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled';

/** What more is known of how an operation ended. */
export type OperationOutcome = 'NotDelivered' | 'Interrupted' | 'Unknown' | 'Superseded';

/** An operation on a device whose row is locked; all ids are raw. */
export interface Operation {
  readonly operationId: string;
  readonly projectId: string;
  readonly deviceId: string;
  readonly fleetOperationId: string | null;
  readonly stageIndex: number | null;
  readonly name: string;
  readonly status: OperationStatus;
  readonly stepIndex: number;
  readonly steps: readonly Step[];
  readonly createdBy: Actor;
  /** Of the operation on a fleet that it is a part of: nothing goes on unless it is Running. */
  readonly fleetStatus: string | null;
  /** Of its window, where it has one. */
  readonly opensAt: string | null;
  readonly closesAt: string | null;
  /** The version that it installs; its success is the proof. */
  readonly installs: string | null;
}

const columns = sql`o.device_operation_id as "operationId", o.project_id as "projectId", o.device_id as "deviceId",
  o.fleet_operation_id as "fleetOperationId", o.stage_index as "stageIndex", o.name, o.status, o.step_index as "stepIndex",
  coalesce(o.steps, f.steps) as steps, coalesce(o.created_by, f.created_by) as "createdBy", f.status as "fleetStatus",
  f.window_opens_at as "opensAt", f.window_closes_at as "closesAt",
  coalesce(o.installs_version, f.installs_version) as installs`;

async function lockWhere(tx: Database, condition: RawBuilder<unknown>): Promise<Operation | undefined> {
  const { rows } = await sql<Operation>`
    select ${columns} from device_operations o left join fleet_operations f using (fleet_operation_id)
    where ${condition} for update of o`.execute(tx);
  return rows[0];
}

/** Locks an operation by its raw id until the transaction ends; undefined if there is none. */
export function lockOperation(tx: Database, operationId: string): Promise<Operation | undefined> {
  return lockWhere(tx, sql`o.device_operation_id = ${operationId}`);
}

/** Locks the operation that runs on a device, by its raw id. */
export function lockRunningOperation(tx: Database, deviceId: string): Promise<Operation | undefined> {
  return lockWhere(tx, sql`o.device_id = ${deviceId} and o.status = 'Running'`);
}

/** Whether its operation on a fleet, if it is a part of one, lets it go on. */
export function mayGoOn({ fleetStatus }: Operation): boolean {
  return fleetStatus === null || fleetStatus === 'Running';
}

/** Whether a wait may begin or end: that of an install also during a pause, since it is how a device reports what it was told before. */
export function mayProve(operation: Operation): boolean {
  return mayGoOn(operation) || (operation.fleetStatus === 'Paused' && operation.installs !== null);
}

/** SQL for whether the window of the statement's operation on a fleet `f` is open, or it has none. */
export function isInWindow(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(f.window_opens_at is null or (f.window_opens_at <= ${now} and f.window_closes_at > ${now}))`;
}

/** The same of an operation that was read. */
export function isWindowOpen(
  { now }: Turn,
  { opensAt, closesAt }: Pick<Operation, 'opensAt' | 'closesAt'>,
): boolean {
  if (opensAt === null || closesAt === null) return true;
  return Date.parse(opensAt) <= now.getTime() && now.getTime() < Date.parse(closesAt);
}

/** Locks the operation on a fleet against a pause until the transaction ends; whether it runs, which an operation of one device always does. The operation on the device is locked before. */
export async function holdsFleetRunning(tx: Database, { fleetOperationId }: Operation): Promise<boolean> {
  if (fleetOperationId === null) return true;
  const { rows } = await sql`
    select 1 from fleet_operations where fleet_operation_id = ${fleetOperationId} and status = 'Running' for key share`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Whether an operation, by its raw id, runs, and its operation on a fleet, if it is a part of one. */
export async function doesRun(tx: Database, operationId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from device_operations o left join fleet_operations f using (fleet_operation_id)
    where o.device_operation_id = ${operationId} and o.status = 'Running' and (o.fleet_operation_id is null or f.status = 'Running')`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Releases a pending operation: it begins as soon as its device is connected and does nothing else. False if it was released before. */
export async function setReleased({ tx, now }: Turn, { operationId }: Operation): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update device_operations set released_at = ${now}, updated_at = ${now}
    where device_operation_id = ${operationId} and released_at is null`.execute(tx);
  return Number(numAffectedRows ?? 0n) > 0;
}

/** Whether a device, by its raw id, is connected. */
export async function isDeviceConnected({ tx, now }: Turn, deviceId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from devices d where d.device_id = ${deviceId} and ${liveConnection(now)}`.execute(tx);
  return rows.length > 0;
}

/** Notes that a device claims steps, at most twice a day: by that people see that it can run operations. */
export async function noteClaiming({ tx, now }: Turn, deviceId: string): Promise<void> {
  // A conflict would lock the row, and flush the transaction, each time.
  await sql`insert into device_abilities as a (device_id, claimed_at)
    select ${deviceId}, ${now}::timestamptz where not exists (
      select 1 from device_abilities where device_id = ${deviceId} and claimed_at >= ${now}::timestamptz - interval '12 hours')
    on conflict (device_id) do update set claimed_at = excluded.claimed_at`.execute(tx);
}

/** The locks of devices on which operations are being started. */
export const startLocks = 7_201_150;

/**
 * Sets a pending operation that is locked to Running, unless its device has one that runs, or another transaction is starting one there; returns whether it did.
 */
export async function setRunning({ tx, now }: Turn, operationId: string, deviceId: string): Promise<boolean> {
  // A statement of its own: the next one sees what those who had the lock before have written.
  const { rows } = await sql<{ isHeld: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(startLocks)}, hashtext(${deviceId})) as "isHeld"`.execute(tx);
  if (rows[0]?.isHeld !== true) return false;
  const { numAffectedRows } = await sql`
    update device_operations o set status = 'Running', started_at = ${now}, updated_at = ${now}
    where device_operation_id = ${operationId} and status = 'Pending'
      and not exists (select 1 from device_operations r where r.device_id = ${deviceId} and r.status = 'Running')`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n) > 0;
}

/** Notes which step is the current one. */
export async function setStepIndex({ tx, now }: Turn, { operationId }: Operation, stepIndex: number) {
  await sql`update device_operations set step_index = ${stepIndex}, updated_at = ${now}
    where device_operation_id = ${operationId}`.execute(tx);
}

/** How an operation ended. */
export interface OperationEnd {
  readonly status: Exclude<OperationStatus, 'Pending' | 'Running'>;
  readonly stepIndex: number;
  readonly lastError?: string | undefined;
  readonly outcome?: OperationOutcome | undefined;
}

/** Records how an operation ended, also as an event. */
export async function setEnded(
  { tx, now }: Turn,
  { operationId }: Operation,
  end: OperationEnd,
): Promise<void> {
  const { status, stepIndex, outcome = null, lastError = null } = end;
  await sql`
    with ended as (
      update device_operations set status = ${status}, step_index = ${stepIndex}, outcome = ${outcome}, last_error = ${lastError}, completed_at = ${now}, updated_at = ${now}
      where device_operation_id = ${operationId} returning project_id, fleet_operation_id, device_id
    )
    insert into operation_events (project_id, fleet_operation_id, device_operation_id, device_id, at, kind, data)
    select project_id, fleet_operation_id, ${operationId}, device_id, ${now}, ${status}::text,
      jsonb_strip_nulls(jsonb_build_object('error', ${lastError}::text, 'outcome', ${outcome}::text)) from ended`.execute(
    tx,
  );
}

/** Something that happened in an operation on a device. */
export async function noteEvent(
  { tx, now }: Turn,
  operation: Pick<Operation, 'operationId' | 'projectId' | 'deviceId' | 'fleetOperationId'>,
  kind: string,
  data: Readonly<Record<string, Json>> = {},
  actor?: Actor,
): Promise<void> {
  await sql`insert into operation_events (project_id, fleet_operation_id, device_operation_id, device_id, at, kind, actor, data)
    values (${operation.projectId}, ${operation.fleetOperationId}, ${operation.operationId}, ${operation.deviceId}, ${now}, ${kind},
      ${actor === undefined ? null : JSON.stringify(actor)}::jsonb, ${JSON.stringify(data)}::jsonb)`.execute(
    tx,
  );
}
