import { sql } from 'kysely';
import type { CallContext, Internal } from '../../../calls/handler.ts';
import {
  cancelDeviceOperation,
  isPlainDeviceStep,
  lockOperation,
  startDeviceOperation,
  startDeviceOperations,
} from '../../operations/index.ts';
import { enrolLate, type Late, selectLate } from '../policy/late-enrolment.ts';
import { finish, goOnWithStages, measureGuard } from '../policy/stages.ts';
import { cancelPending, lockRunning } from '../sql/finish.ts';
import { lockForDriver, type LockedOperation } from '../sql/locks.ts';
import { freeSlots, lockReady } from '../sql/ready-devices.ts';
import { releaseDevices } from '../sql/stages.ts';
import { isInItsWindow } from '../sql/window.ts';

interface Given {
  /** The raw id. */
  readonly operationId: string;
  /** Devices that the call before has selected and left for this one. */
  readonly late?: Late | undefined;
}

/** Whether the same call would do more at once. */
interface Driven {
  readonly isMore: boolean;
  readonly late?: Late | undefined;
}

type Context = CallContext<Given>;

/** So many devices begin in one transaction, which holds the operation, and for so long at most. */
const startedAtOnce = 50;
const startsForMs = 200;
/** Where their first step needs no look at each device: one by one, 10,000 devices would take half a minute to begin. */
const startedTogether = 500;

/** Lets an operation go on by one short transaction, unless another node does it just now. It waits for nobody who may wait for the operation. */
export const DriveOperation: Internal<Given, Driven> = {
  name: 'fleet_DriveOperation',

  async run(context) {
    const late = context.input.late ?? (await selectLate(context, context.input.operationId));
    const measured = await measureGuard(context, context.input.operationId);
    const operation = await lockForDriver(context.tx, context.input.operationId);
    if (operation === undefined) return { isMore: false };
    if (operation.status === 'Cancelled') return { isMore: await cancelDevices(context, operation) };
    const left = late && (await enrolLate(context, operation, late));
    if (left === 'Paused') return { isMore: false };
    if (typeof left === 'object') return { isMore: true, late: left };
    if (await goOnWithStages(context, operation, measured)) return { isMore: true };
    const { operationId, activeStage } = operation;
    const isOpen = await isInItsWindow(context, operation);
    const hasReleased = await releaseDevices(context.tx, operationId, activeStage, context.now);
    const hasStarted = isOpen && (await startDevices(context, operation));
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

async function startDevices(context: Context, operation: LockedOperation): Promise<boolean> {
  const { tx, now } = context;
  const { operationId, projectId, maxInFlight, steps, definition } = operation;
  const [step] = steps;
  // What takes another operation back has steps of its own on each device.
  const isPlain = step !== undefined && isPlainDeviceStep(step) && definition.undoes === undefined;
  const atOnce = isPlain ? startedTogether : startedAtOnce;
  const most = Math.min(atOnce, await freeSlots(tx, operationId, maxInFlight));
  if (most <= 0) return false;
  const operationIds = await lockReady(tx, operationId, most, now);
  if (!isPlain) return startEach(context, operationIds);
  if (operationIds.length === 0) return false;
  const starting = { projectId, fleetOperationId: operationId, operationIds, step };
  return (await startDeviceOperations(context, starting)) > 0;
}

async function startEach(context: Context, operationIds: readonly string[]): Promise<boolean> {
  let started = 0;
  const endsMs = performance.now() + startsForMs;
  for (const id of operationIds) {
    if (await startDeviceOperation(context, id)) started += 1;
    if (performance.now() > endsMs) break;
  }
  // Those whose steps the hub does have ended already.
  return started > 0;
}
