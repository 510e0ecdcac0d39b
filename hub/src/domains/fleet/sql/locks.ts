import { ActionError, ids, type Actor, type Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { forbidden, notFound } from '../../../auth/actors.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { readOwners, whoMayStart, type ProjectAccess } from '../../projects/index.ts';
import { mostDevicesOfMembers, type Definition, type GivenDefinition } from './definition.ts';

/** An operation whose row is locked. */
export interface LockedOperation {
  /** The raw ids. */
  readonly operationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly status: 'Draft' | 'Running' | 'Paused' | 'Completed' | 'Failed' | 'Cancelled';
  readonly definition: Definition;
  readonly steps: GivenDefinition['steps'];
  readonly activeStage: number;
  readonly maxInFlight: number;
  readonly pauseOnFailurePercent: number;
  readonly deliverWithinSecs: number;
  readonly intervalSecs: number | null;
  readonly nextEnrolmentAt: string | null;
  readonly closesWhenConverged: boolean;
  readonly previewHash: string | null;
  readonly completedAt: string | null;
  readonly createdBy: Actor;
  /** Of its window, where it has one. */
  readonly opensAt: string | null;
  readonly closesAt: string | null;
}

const columns = sql`fleet_operation_id as "operationId", project_id as "projectId", name, status, definition, steps, active_stage as "activeStage",
  max_in_flight as "maxInFlight", pause_on_failure_percent as "pauseOnFailurePercent", deliver_within_secs as "deliverWithinSecs",
  enrollment_interval_secs as "intervalSecs", next_enrollment_at as "nextEnrolmentAt",
  close_when_converged as "closesWhenConverged", preview_hash as "previewHash", completed_at as "completedAt", created_by as "createdBy",
  window_opens_at as "opensAt", window_closes_at as "closesAt"`;

async function lock(
  tx: Database,
  condition: RawBuilder<unknown>,
  strength: RawBuilder<unknown>,
): Promise<LockedOperation | undefined> {
  const { rows } = await sql<LockedOperation>`
    select ${columns} from fleet_operations where ${condition} ${strength}`.execute(tx);
  return rows[0];
}

/** Locks an operation for a person who changes how it stands: work that is being handed out meanwhile is committed before. Nobody waits for a device or a stage behind this lock. */
export async function lockForChange(tx: Database, operationId: string): Promise<LockedOperation> {
  const operation = await lock(tx, sql`fleet_operation_id = ${operationId}`, sql`for update`);
  if (operation === undefined) throw notFound('Operation');
  return operation;
}

/**
 * Locks an unfinished operation for the driver, with its stages before it, unless somebody has one of them; work is handed out meanwhile. So a device that fails while the driver starts it
 * waits for nobody.
 */
export async function lockForDriver(tx: Database, operationId: string): Promise<LockedOperation | undefined> {
  const { rows } = await sql<{ isLocked: boolean }>`
    with locked as materialized (
      select 1 from fleet_operation_stages where fleet_operation_id = ${operationId} for no key update skip locked
    )
    select (select count(*) from locked) = (select count(*) from fleet_operation_stages where fleet_operation_id = ${operationId}) as "isLocked"`.execute(
    tx,
  );
  if (rows[0]?.isLocked !== true) return undefined;
  return lock(
    tx,
    sql`fleet_operation_id = ${operationId} and completed_at is null and status in ('Running', 'Cancelled')`,
    sql`for no key update skip locked`,
  );
}

/** Reads an operation that runs, without a lock, if a condition on its row holds: its definition may have some MiB. */
export function readRunning(
  tx: Database,
  operationId: string,
  condition: RawBuilder<boolean>,
): Promise<LockedOperation | undefined> {
  return lock(tx, sql`fleet_operation_id = ${operationId} and status = 'Running' and ${condition}`, sql``);
}

/** Reads an operation that runs or is paused, without a lock. */
export function readUnfinished(tx: Database, operationId: string): Promise<LockedOperation | undefined> {
  return lock(tx, sql`fleet_operation_id = ${operationId} and status in ('Running', 'Paused')`, sql``);
}

/** Reads an operation without a lock. */
export async function readAny(tx: Database, operationId: string): Promise<LockedOperation> {
  const operation = await lock(tx, sql`fleet_operation_id = ${operationId}`, sql``);
  if (operation === undefined) throw notFound('Operation');
  return operation;
}

/** Locks the stages of an operation, which are locked before it. */
export async function lockStages(tx: Database, operationId: string): Promise<void> {
  await sql`select 1 from fleet_operation_stages where fleet_operation_id = ${operationId}
    order by stage_index for no key update`.execute(tx);
}

/** Requires an owner of the project for an operation on more than a few devices. */
export async function mustBeAllowed(
  tx: Database,
  { isOwner, projectId }: ProjectAccess,
  operationId: string,
): Promise<void> {
  if (isOwner) return;
  const { rows } = await sql`
    select 1 from device_operations where fleet_operation_id = ${operationId} and is_latest
    offset ${sql.lit(mostDevicesOfMembers)} limit 1`.execute(tx);
  if (rows.length > 0) throw await needsOwner(tx, projectId);
}

/** The error for members who act on too many devices. */
export async function needsOwner(tx: Database, projectId: string): Promise<ActionError> {
  const who = whoMayStart(await readOwners(tx, projectId));
  return forbidden(
    `Members may act on up to ${mostDevicesOfMembers} devices at once; on more of them only an owner of the project may. ${who}`,
  );
}

/** The error for an operation that stands otherwise than a change needs. */
export function wrongStatus({ status }: Pick<LockedOperation, 'status'>): ActionError {
  const words = {
    Draft: 'has not begun',
    Running: 'is running',
    Paused: 'is paused',
    Completed: 'has ended',
    Failed: 'has ended',
    Cancelled: 'is cancelled',
  };
  return new ActionError('Invalid', `The operation ${words[status]}.`);
}

/** What the events of an operation say of it. */
export function toEvent({ projectId, operationId, name }: LockedOperation): Record<string, Json> {
  return { projectId: ids.project.of(projectId), fleetOperationId: ids.fleetOperation.of(operationId), name };
}
