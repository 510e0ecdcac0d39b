import { ids, type Input } from '@corral/contract';
import { lockOperation, type Turn } from '../sql/operations.ts';
import { endedByOurNode, noteCheckpoint, readStep } from '../sql/steps.ts';
import { finishStep } from './advance.ts';

/** How the agents of 2026-08 begin the report of a command whose link ended. */
const interrupted = 'previous command execution was interrupted';
const maxErrorCharacters = 4096;

/**
 * Records what a device says of a step. The first final report under any claim that this device was given counts; one of an unknown or ended step, or under another claim, changes nothing: to
 * an error the agents of 2026-08 would answer with the next claim at once, without end.
 */
export async function recordReport(turn: Turn, input: Input<'devices_ReportOperationStep'>): Promise<void> {
  const { report, stepIndex, claimId } = input;
  const operation = await lockOperation(turn.tx, ids.deviceOperation.raw(input.deviceOperationId));
  if (operation?.deviceId !== ids.device.raw(input.deviceId)) return;
  const row = await readStep(turn, operation.operationId, stepIndex);
  if (row?.status !== 'Running' || !row.claimIds.includes(ids.deviceOperationClaim.raw(claimId))) return;
  const { status, output, checkpoint } = report;
  if (status === 'Running') {
    if (checkpoint !== undefined) await noteCheckpoint(turn, operation.operationId, stepIndex, checkpoint);
    return;
  }
  const error = report.error?.slice(0, maxErrorCharacters);
  const isInterrupted = status === 'Failed' && error?.toLowerCase().startsWith(interrupted) === true;
  await finishStep(turn, operation, stepIndex, {
    status,
    output,
    error: status === 'Failed' ? (error ?? 'The command failed.') : error,
    outcome: isInterrupted ? 'Interrupted' : undefined,
    isOurFault: isInterrupted && (await endedByOurNode(turn, operation.operationId, stepIndex)),
  });
}
