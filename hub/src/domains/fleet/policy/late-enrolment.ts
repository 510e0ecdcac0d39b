import { ActionError, FilterError } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Turn } from '../../operations/index.ts';
import { findEligible } from '../sql/eligibility.ts';
import { enrolLateDevices, keepSelectionErrors } from '../sql/enrolment.ts';
import { readRunning, type LockedOperation } from '../sql/locks.ts';
import type { SelectionError } from '../sql/predicates.ts';
import { storedPlan } from '../sql/start.ts';
import { announce, pause } from './stages.ts';

/** Devices that have become eligible since the last time, or why they cannot be selected. */
type Late =
  | { readonly devices: string; readonly errors: readonly SelectionError[]; readonly tookMs: number }
  | { readonly problem: string };

/** So many times as long as a selection takes is the shortest time to the next one. */
const restFactor = 10;

/** Selects the devices that join an operation, where it is time: before its locks, since of a large fleet it takes some seconds. */
export async function selectLate(
  { tx, db, now }: Turn & { readonly db: Database },
  id: string,
): Promise<Late | undefined> {
  const isTime = sql<boolean>`next_enrollment_at <= ${now}`;
  const operation = await readRunning(tx, id, isTime);
  if (operation === undefined) return undefined;
  const { operationId, projectId } = operation;
  const beganMs = performance.now();
  try {
    const plan = await storedPlan(tx, operation);
    const { matched, errors } = await findEligible(tx, plan, { projectId, now, db });
    const { rows } = await sql<{ devices: string }>`
      select coalesce(jsonb_agg(m.device_id), '[]')::text as devices from (${matched}) as m
      where m.reason is null and not exists (
        select 1 from device_operations o where o.fleet_operation_id = ${operationId} and o.device_id = m.device_id)`.execute(
      tx,
    );
    return { devices: rows[0]?.devices ?? '[]', errors, tookMs: Math.ceil(performance.now() - beganMs) };
  } catch (error) {
    if (!(error instanceof ActionError || error instanceof FilterError)) throw error;
    return { problem: error.message };
  }
}

/** Lets devices join an operation that is locked with its stages; false if it has to pause instead. */
export async function enrolLate(turn: Turn, operation: LockedOperation, late: Late): Promise<boolean> {
  const { tx, now } = turn;
  // Another node may have done it meanwhile.
  if (!isDue(operation, now)) return true;
  if ('problem' in late) {
    await pause(turn, operation, `The devices can no longer be selected: ${late.problem}`);
    return false;
  }
  const { operationId, definition, steps, intervalSecs } = operation;
  const enrolled = { ...operation, stepCount: steps.length, now };
  const joined = await enrolLateDevices(tx, enrolled, definition.stages, late.devices);
  await keepSelectionErrors(tx, operationId, late.errors, now);
  const endedMs = now.getTime() + late.tookMs;
  const restMs = Math.max((intervalSecs ?? 0) * 1000, late.tookMs * restFactor);
  await sql`update fleet_operations set last_enrollment_at = ${new Date(endedMs)}, next_enrollment_at = ${new Date(endedMs + restMs)}
    where fleet_operation_id = ${operationId}`.execute(tx);
  if (joined > 0) announce(turn, operation);
  return true;
}

function isDue({ nextEnrolmentAt }: LockedOperation, now: Date): boolean {
  return nextEnrolmentAt !== null && Date.parse(nextEnrolmentAt) <= now.getTime();
}
