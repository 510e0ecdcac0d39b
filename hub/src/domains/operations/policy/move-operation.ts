import { readDueFacts } from '../sql/due-operations.ts';
import {
  isDeviceConnected,
  lockOperation,
  mayGoOn,
  mayProve,
  type Operation,
  type Turn,
} from '../sql/operations.ts';
import { type CurrentStep, endedByOurNode, readStep } from '../sql/steps.ts';
import { advance, endOperation, finishStep, recheckWait, startDeviceOperation } from './advance.ts';

/** Does what is due of an operation, by its raw id: starts it, ends it or its step, or evaluates its wait. */
export async function moveOperation(turn: Turn, operationId: string): Promise<void> {
  const operation = await lockOperation(turn.tx, operationId);
  if (operation?.status === 'Cancelled') await endLateStep(turn, operation);
  if (operation === undefined || !mayProve(operation)) return;
  if (operation.status === 'Pending' && mayGoOn(operation)) await movePending(turn, operation);
  if (operation.status === 'Running') await moveRunning(turn, operation);
}

async function movePending(turn: Turn, operation: Operation): Promise<void> {
  const { operationId, deviceId, fleetOperationId, stepIndex } = operation;
  const facts = await readDueFacts(turn.tx, operationId, turn.now);
  if (facts?.isUndelivered === true) {
    const lastError = 'The device was not there in time.';
    await endOperation(turn, operation, {
      status: 'TimedOut',
      outcome: 'NotDelivered',
      stepIndex,
      lastError,
    });
  } else if (fleetOperationId === null && (await isDeviceConnected(turn, deviceId)))
    await startDeviceOperation(turn, operationId);
}

/** Ends the step that a device took before its operation was cancelled, and of which it reports nothing. */
async function endLateStep(turn: Turn, operation: Operation): Promise<void> {
  const { operationId, stepIndex } = operation;
  const row = await readStep(turn, operationId, stepIndex);
  const facts = await readDueFacts(turn.tx, operationId, turn.now);
  if (row?.status === 'Running' && facts?.isLate === true)
    await finishStep(turn, operation, stepIndex, { status: 'TimedOut', error: timeoutText(row) });
}

async function moveRunning(turn: Turn, operation: Operation): Promise<void> {
  const { operationId, stepIndex } = operation;
  const row = await readStep(turn, operationId, stepIndex);
  if (row === undefined) return advance(turn, operation);
  // Of a paused one the clocks stand still.
  if (!mayGoOn(operation)) return recheckWait(turn, operation);
  const facts = await readDueFacts(turn.tx, operationId, turn.now);
  if (facts?.isLate === true) {
    const error = timeoutText(row);
    await finishStep(turn, operation, stepIndex, { status: 'TimedOut', error });
  } else if (facts?.isChannelLost === true)
    await finishStep(turn, operation, stepIndex, {
      status: 'Failed',
      error: 'The connection ended while the command ran; whether it went on is unknown.',
      outcome: 'Unknown',
      isOurFault: await endedByOurNode(turn, operationId, stepIndex),
    });
  else await recheckWait(turn, operation);
}

function timeoutText({ kind, carrier, timeoutSecs }: CurrentStep): string {
  if (kind === 'WaitForDeviceProperty') return `The condition did not hold within ${timeoutSecs} s.`;
  return carrier === null
    ? `The device did not take the step within ${timeoutSecs} s.`
    : `The device reported no result within ${timeoutSecs} s.`;
}
