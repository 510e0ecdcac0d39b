import { ActionError, FilterError } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { SecretPlace, Turn } from '../../operations/index.ts';
import { findEligible } from '../sql/eligibility.ts';
import { enrolLateDevices, keepSelectionErrors } from '../sql/enrolment.ts';
import { readRunning, type LockedOperation } from '../sql/locks.ts';
import { addSecretPlaces, readSecretPlaces } from '../sql/manifests.ts';
import type { SelectionError } from '../sql/predicates.ts';
import { storedPlan } from '../sql/draft-selection.ts';
import { announce, pause } from './stages.ts';

/** Devices that have become eligible since the last time, by their raw ids, or why they cannot be selected. */
export type Late =
  | {
      readonly devices: readonly string[];
      readonly errors: readonly SelectionError[];
      /** Where in its steps the devices say that secrets are, also those that are new. */
      readonly places: readonly SecretPlace[];
      readonly tookMs: number;
    }
  | { readonly problem: string };

/** So many devices join in one transaction: reports of failures and a pause wait for its locks. */
const joinedAtOnce = 5_000;

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
    const { rows } = await sql<{ devices: readonly string[] }>`
      select coalesce(jsonb_agg(m.device_id), '[]') as devices from (${matched}) as m
      where m.reason is null and not exists (
        select 1 from device_operations o where o.fleet_operation_id = ${operationId} and o.device_id = m.device_id)`.execute(
      tx,
    );
    const places = await readSecretPlaces(tx, operation);
    const tookMs = Math.ceil(performance.now() - beganMs);
    return { devices: rows[0]?.devices ?? [], errors, places, tookMs };
  } catch (error) {
    if (!(error instanceof ActionError || error instanceof FilterError)) throw error;
    return { problem: error.message };
  }
}

/** Lets some of the devices join an operation that is locked with its stages, or pauses it where they cannot be selected. Returns those that are left. */
export async function enrolLate(
  turn: Turn,
  operation: LockedOperation,
  late: Late,
): Promise<'Paused' | 'Enrolled' | Late> {
  const { tx, now } = turn;
  // Another node may have done it meanwhile.
  if (!isDue(operation, now)) return 'Enrolled';
  if ('problem' in late) {
    await pause(turn, operation, `The devices can no longer be selected: ${late.problem}`);
    return 'Paused';
  }
  const { operationId, definition, steps } = operation;
  const enrolled = { ...operation, stepCount: steps.length, now };
  await addSecretPlaces(tx, operationId, late.places);
  const some = JSON.stringify(late.devices.slice(0, joinedAtOnce));
  const joined = await enrolLateDevices(tx, enrolled, definition.stages, some);
  if (joined > 0) announce(turn, operation);
  if (late.devices.length > joinedAtOnce)
    return { ...late, devices: late.devices.slice(joinedAtOnce), places: [] };
  await keepSelectionErrors(tx, operationId, late.errors, now);
  await noteSelection(turn, operation, late.tookMs);
  return 'Enrolled';
}

async function noteSelection(
  { tx, now }: Turn,
  { operationId, intervalSecs }: LockedOperation,
  tookMs: number,
): Promise<void> {
  const endedMs = now.getTime() + tookMs;
  const restMs = Math.max((intervalSecs ?? 0) * 1000, tookMs * restFactor);
  await sql`update fleet_operations set last_enrollment_at = ${new Date(endedMs)}, next_enrollment_at = ${new Date(endedMs + restMs)}
    where fleet_operation_id = ${operationId}`.execute(tx);
}

function isDue({ nextEnrolmentAt }: LockedOperation, now: Date): boolean {
  return nextEnrolmentAt !== null && Date.parse(nextEnrolmentAt) <= now.getTime();
}
