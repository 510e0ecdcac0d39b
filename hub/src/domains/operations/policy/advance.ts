import { ids } from '@corral/contract';
import { countFailure } from '../sql/failure-budget.ts';
import { recordInstall } from '../sql/installs.ts';
import {
  holdsFleetRunning,
  isWindowOpen,
  lockOperation,
  mayGoOn,
  mayProve,
  noteEvent,
  type Operation,
  type OperationEnd,
  setEnded,
  setRunning,
  setStepIndex,
  type Step,
  type Turn,
} from '../sql/operations.ts';
import { startMany, type Starting } from '../sql/start-many.ts';
import { addEndedStep, addRunningStep, endStep, noteChecked, readStep, type StepEnd } from '../sql/steps.ts';
import { evaluateCondition } from './evaluate.ts';
import { changeProperty, isPropertyStep } from './hub-steps.ts';

/** How a step ended, and what more is known. */
export interface StepResult extends StepEnd {
  readonly status: 'Succeeded' | 'Failed' | 'TimedOut';
  readonly outcome?: 'Interrupted' | 'Unknown' | undefined;
  /** Whether our own node caused it, by stopping or failing: it then counts against no budget. */
  readonly isOurFault?: boolean | undefined;
}

/** Starts a pending operation, by its raw id, and runs its first steps; false if it is not pending, or its device has another one that runs. To be called where the device is connected. */
export async function startDeviceOperation(turn: Turn, operationId: string): Promise<boolean> {
  const operation = await lockOperation(turn.tx, operationId);
  if (operation?.status !== 'Pending' || !mayGoOn(operation)) return false;
  if (!(await setRunning(turn, operationId, operation.deviceId))) return false;
  await noteEvent(turn, operation, 'Started');
  await advance(turn, { ...operation, status: 'Running' });
  return true;
}

/** Starts pending operations that are locked as `startDeviceOperation` does, in two statements for all of them. Returns how many. */
export async function startDeviceOperations(turn: Turn, starting: Starting): Promise<number> {
  const started = await startMany(turn, starting);
  for (const deviceId of started) announceWork(turn, { deviceId });
  if (started.length > 0)
    turn.emit('fleet_OperationProgressed', {
      projectId: ids.project.of(starting.projectId),
      fleetOperationId: ids.fleetOperation.of(starting.fleetOperationId),
    });
  return started.length;
}

/** Whether a step is one that its device does, and does in any case: operations that begin with it can be started together. */
export function isPlainDeviceStep({ kind, when }: Step): boolean {
  return (kind === 'DeviceCommand' || kind === 'DeviceTask') && when === undefined;
}

/**
 * Runs the steps of a running operation from one that has not begun, by default its current one: those of the hub at once, until the device has to do one, a wait does not hold, or the operation ends.
 */
export async function advance(turn: Turn, operation: Operation, from = operation.stepIndex): Promise<void> {
  const { steps } = operation;
  for (let index = from; ; index += 1) {
    const step = steps[index];
    if (step === undefined) return endOperation(turn, operation, { status: 'Succeeded', stepIndex: index });
    const end = (await mayBegin(turn, operation, step)) ? await begin(turn, operation, index, step) : 'Stays';
    if (end === 'Stays') {
      if (index !== operation.stepIndex) await setStepIndex(turn, operation, index);
      return announceProgress(turn, operation);
    }
    if (end.status === 'Failed') return fail(turn, operation, index, { ...end, status: 'Failed' });
  }
}

/** Whether a step may begin: a wait, which proves what is done, at any hour, that of an install also during a pause, others in the window of their operation. What changes a property holds its operation on a fleet against a pause. */
async function mayBegin(turn: Turn, operation: Operation, step: Step): Promise<boolean> {
  if (step.kind === 'WaitForDeviceProperty') return mayProve(operation);
  if (!mayGoOn(operation) || !isWindowOpen(turn, operation)) return false;
  return !isPropertyStep(step) || (await holdsFleetRunning(turn.tx, operation));
}

/** Begins a step, and ends it if the hub does it at once. */
async function begin(
  turn: Turn,
  operation: Operation,
  index: number,
  step: Step,
): Promise<StepEnd | 'Stays'> {
  const end = (await refusedBy(turn, operation, step)) ?? (await doneAtOnce(turn, operation, step));
  if (end !== undefined) {
    await addEndedStep(turn, operation, index, step, end);
    return end;
  }
  await addRunningStep(turn, operation, index, step);
  if (step.kind !== 'WaitForDeviceProperty') announceWork(turn, operation);
  return 'Stays';
}

/** How a step ends whose condition does not hold. */
async function refusedBy(turn: Turn, { deviceId }: Operation, { when }: Step): Promise<StepEnd | undefined> {
  if (when === undefined) return undefined;
  const verdict = await evaluateCondition(turn, deviceId, when as never);
  if ('error' in verdict) return { status: 'Failed', error: verdict.error };
  return verdict.holds ? undefined : { status: 'Skipped' };
}

async function doneAtOnce(turn: Turn, operation: Operation, step: Step): Promise<StepEnd | undefined> {
  if (isPropertyStep(step)) return changeProperty(turn, operation, step);
  if (step.kind === 'WaitForDeviceProperty') return endOfWait(turn, operation, step);
  return undefined;
}

/** How a wait ends; undefined while it goes on. */
async function endOfWait(
  turn: Turn,
  operation: Operation,
  { predicate, freshOnly }: Extract<Step, { kind: 'WaitForDeviceProperty' }>,
): Promise<StepEnd | undefined> {
  const verdict = await evaluateCondition(
    turn,
    operation.deviceId,
    predicate as never,
    freshOnly === true ? await beginOf(turn, operation) : undefined,
  );
  if ('error' in verdict) return verdict.isMissing ? undefined : { status: 'Failed', error: verdict.error };
  return verdict.holds ? { status: 'Succeeded' } : undefined;
}

/** When an operation began on its device: a command may write what proves it before it reports. */
async function beginOf(turn: Turn, { operationId }: Operation): Promise<string> {
  return (await readStep(turn, operationId, 0))?.startedAt ?? turn.now.toISOString();
}

/** Evaluates the wait at which a locked operation is, and goes on if it holds. */
export async function recheckWait(turn: Turn, operation: Operation): Promise<void> {
  const step = operation.steps[operation.stepIndex];
  const row = await readStep(turn, operation.operationId, operation.stepIndex);
  if (step?.kind !== 'WaitForDeviceProperty' || row?.status !== 'Running' || !mayProve(operation)) return;
  await noteChecked(turn, operation);
  const end = await endOfWait(turn, operation, step);
  if (end !== undefined)
    await finishStep(turn, operation, operation.stepIndex, { ...end, status: end.status as 'Succeeded' });
}

/**
 * Records the result of a step of a locked operation, and goes on or ends it. The first result counts: a step that has ended stays as it is. Of a cancelled operation only the step is recorded.
 */
export async function finishStep(
  turn: Turn,
  operation: Operation,
  stepIndex: number,
  result: StepResult,
): Promise<boolean> {
  if (!(await endStep(turn, operation.operationId, stepIndex, result))) return false;
  if (operation.status !== 'Running') announceProgress(turn, operation);
  else if (result.status === 'Succeeded') await advance(turn, operation, stepIndex + 1);
  else await fail(turn, operation, stepIndex, result);
  return true;
}

/** Ends a step of a locked operation that has ended, of which its device got nothing. */
export async function skipStep(turn: Turn, operation: Operation, stepIndex: number): Promise<void> {
  if (await endStep(turn, operation.operationId, stepIndex, { status: 'Skipped' }))
    announceProgress(turn, operation);
}

async function fail(turn: Turn, operation: Operation, stepIndex: number, result: StepResult): Promise<void> {
  const status = result.status === 'TimedOut' ? 'TimedOut' : 'Failed';
  const { error: lastError, outcome } = result;
  // First: an event refers to the operation on the fleet, which is locked after the stage.
  if (result.isOurFault !== true) await countFailure(turn, operation);
  await endOperation(turn, operation, { status, stepIndex, lastError, outcome });
}

/** Ends a locked operation that is pending or runs, and announces it. */
export async function endOperation(turn: Turn, operation: Operation, end: OperationEnd): Promise<void> {
  await setEnded(turn, operation, end);
  const { lastError, status } = end;
  if (status === 'Succeeded' && operation.installs !== null)
    await recordInstall(turn, operation, operation.installs);
  announceProgress(turn, operation);
  announceDue(turn, operation);
  if (operation.fleetOperationId === null && status !== 'Cancelled')
    turn.emit('devices_OperationFinished', {
      ...namesOf(operation),
      deviceId: ids.device.of(operation.deviceId),
      name: operation.name,
      status,
      ...(lastError === undefined ? {} : { error: lastError }),
    });
}

/** Cancels a locked operation that has not ended: what its device does at the moment goes on, and its result is recorded with the step. */
export async function cancelDeviceOperation(turn: Turn, operation: Operation): Promise<boolean> {
  if (operation.status !== 'Pending' && operation.status !== 'Running') return false;
  const { operationId, stepIndex } = operation;
  const step = operation.status === 'Running' ? await readStep(turn, operationId, stepIndex) : undefined;
  const isHandedOut = step?.carrier === 'Claim' || step?.carrier === 'Channel';
  if (step?.status === 'Running' && !isHandedOut)
    await endStep(turn, operationId, stepIndex, { status: 'Skipped' });
  await endOperation(turn, operation, { status: 'Cancelled', stepIndex });
  return true;
}

function namesOf({ projectId, operationId, fleetOperationId }: Operation) {
  return {
    projectId: ids.project.of(projectId),
    deviceOperationId: ids.deviceOperation.of(operationId),
    ...(fleetOperationId === null ? {} : { fleetOperationId: ids.fleetOperation.of(fleetOperationId) }),
  };
}

/** Of an operation on a fleet the hints of all its devices are equal, so that many become one. */
function announceProgress({ emit }: Turn, operation: Operation): void {
  const { projectId, fleetOperationId, deviceOperationId } = namesOf(operation);
  emit(
    'fleet_OperationProgressed',
    fleetOperationId === undefined ? { projectId, deviceOperationId } : { projectId, fleetOperationId },
  );
}

function announceDue({ emit }: Turn, operation: Operation): void {
  const { fleetOperationId } = namesOf(operation);
  emit('fleet_OperationDue', fleetOperationId === undefined ? {} : { fleetOperationId });
}

/** Tells the node that holds the device that it has a step to do. */
function announceWork({ emit }: Turn, { deviceId }: Pick<Operation, 'deviceId'>): void {
  emit('devices_OperationWorkAvailable', { deviceId: ids.device.of(deviceId) });
}
