import { ActionError, FilterError } from '@corral/contract';
import { sql } from 'kysely';
import type { CallContext, Internal } from '../../../calls/handler.ts';
import { cancelDeviceOperation, lockOperation, startDeviceOperation } from '../../operations/index.ts';
import { announce, finish, goOnWithStages, pause } from '../policy/stages.ts';
import { findEligible } from '../sql/eligibility.ts';
import { enrolLateDevices, keepSelectionErrors } from '../sql/enrolment.ts';
import { cancelPending, lockRunning } from '../sql/finish.ts';
import { lockForDriver, type LockedOperation } from '../sql/locks.ts';
import { freeSlots, lockReady } from '../sql/ready-devices.ts';
import { lockStage, releaseDevices } from '../sql/stages.ts';
import { storedPlan } from '../sql/start.ts';

interface Given {
  /** The raw id. */
  readonly operationId: string;
}

/** Whether the same call would do more at once. */
interface Driven {
  readonly isMore: boolean;
}

type Context = CallContext<Given>;

/** So many devices begin in one transaction, which holds the operation. */
const startedAtOnce = 50;

/** Lets an operation go on by one short transaction, unless another node does it just now. It waits for nobody who may wait for the operation. */
export const DriveOperation: Internal<Given, Driven> = {
  name: 'fleet_DriveOperation',

  async run(context) {
    const operation = await lockForDriver(context.tx, context.input.operationId);
    if (operation === undefined) return { isMore: false };
    if (operation.status === 'Cancelled') return { isMore: await cancelDevices(context, operation) };
    if ((await enrolLate(context, operation)) || (await goOnWithStages(context, operation)))
      return { isMore: true };
    const { operationId, activeStage } = operation;
    const hasReleased = await releaseDevices(context.tx, operationId, activeStage, context.now);
    const hasStarted = await startDevices(context, operation);
    return { isMore: hasReleased || hasStarted };
  },
};

async function cancelDevices(context: Context, operation: LockedOperation): Promise<boolean> {
  const { tx, now } = context;
  const { operationId } = operation;
  if (await cancelPending(tx, operationId, now)) return true;
  const running = await lockRunning(tx, operationId, startedAtOnce);
  for (const id of running) {
    const locked = await lockOperation(tx, id);
    if (locked !== undefined) await cancelDeviceOperation(context, locked);
  }
  if (running.length === startedAtOnce) return true;
  const { rows } = await sql`
    select 1 from device_operations where fleet_operation_id = ${operationId} and is_latest and status in ('Pending', 'Running') limit 1`.execute(
    tx,
  );
  if (rows.length === 0) await finish(context, operation);
  return false;
}

/** Lets devices join that have become eligible since the last time. */
async function enrolLate(context: Context, operation: LockedOperation): Promise<boolean> {
  const { tx, db, now } = context;
  const { operationId, projectId, intervalSecs, lastEnrolmentAt, activeStage, definition } = operation;
  if (intervalSecs === null || lastEnrolmentAt === null) return false;
  if (Date.parse(lastEnrolmentAt) + intervalSecs * 1000 > now.getTime()) return false;
  const stage = await lockStage(tx, operationId, activeStage);
  if (stage === undefined || stage.openedAt === null) return false;
  try {
    const { matched, errors } = await findEligible(tx, await storedPlan(tx, operation), {
      projectId,
      now,
      db,
    });
    const enrolled = { ...operation, stepCount: operation.steps.length, delivery: definition.delivery, now };
    const eligible = sql`select m.device_id from (${matched}) as m where m.reason is null`;
    const joined = await enrolLateDevices(tx, enrolled, activeStage, eligible);
    await keepSelectionErrors(tx, operationId, errors, now);
    await sql`update fleet_operation_stages set devices = devices + ${joined}
      where fleet_operation_id = ${operationId} and stage_index = ${activeStage}`.execute(tx);
  } catch (error) {
    if (!(error instanceof ActionError || error instanceof FilterError)) throw error;
    await pause(context, operation, `The devices can no longer be selected: ${error.message}`);
    return false;
  }
  await sql`update fleet_operations set last_enrollment_at = ${now} where fleet_operation_id = ${operationId}`.execute(
    tx,
  );
  announce(context, operation);
  return true;
}

async function startDevices(
  context: Context,
  { operationId, maxInFlight }: LockedOperation,
): Promise<boolean> {
  const { tx, now } = context;
  const most = Math.min(startedAtOnce, await freeSlots(tx, operationId, maxInFlight));
  if (most <= 0) return false;
  const ready = await lockReady(tx, operationId, most, now);
  let started = 0;
  for (const id of ready) if (await startDeviceOperation(context, id)) started += 1;
  // Those whose steps the hub does have ended already.
  return started > 0;
}
