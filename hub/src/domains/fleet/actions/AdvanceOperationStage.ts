import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeFleetOperation, type ProjectAccess } from '../../projects/index.ts';
import { checkGuard } from '../policy/guard.ts';
import { recordEvent } from '../sql/events.ts';
import { lockForChange, mustBeAllowed, readUnfinished, toEvent, wrongStatus } from '../sql/locks.ts';

/** Lets the next stage of an operation begin, of a paused one as soon as that goes on; `force` passes the guard of the current one, and is in the log with its reason. */
export const AdvanceOperationStage: Handler<'fleet_AdvanceOperationStage', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, input, actor, now, emit }, { projectId, isOwner }) {
    const { fleetOperationId, force = false, reason } = input;
    const operationId = ids.fleetOperation.raw(fleetOperationId);
    // A guard that is not met pauses: going on with it would only pause it again.
    const before = await readUnfinished(tx, operationId);
    if (before === undefined) throw wrongStatus(await lockForChange(tx, operationId));
    await mustBeAllowed(tx, { isOwner, projectId }, operationId);
    const { activeStage, definition } = before;
    if (activeStage + 1 >= definition.stages.length) return { result: 'AlreadyFinalStage' };
    // Before the lock, for which devices that take their steps wait: gates may look at all devices.
    const guarded = { operationId, stageIndex: activeStage, stage: definition.stages[activeStage] };
    const verdict = await checkGuard(tx, guarded, now);
    const operation = await lockForChange(tx, operationId);
    if (operation.status !== 'Running' && operation.status !== 'Paused') throw wrongStatus(operation);
    if (operation.activeStage !== activeStage) throw wentOn();
    const { isOpen, waitsForGates: _, ...measured } = verdict;
    if (!isOpen && !force) return { result: 'GuardBlocked', ...measured };
    await sql`update fleet_operations set active_stage = active_stage + 1 where fleet_operation_id = ${operationId}`.execute(
      tx,
    );
    const stageIndex = activeStage + 1;
    const data = {
      stageIndex,
      stage: definition.stages[stageIndex]?.name ?? '',
      ...(isOpen ? {} : { isForced: true }),
      ...(reason === undefined ? {} : { reason }),
    };
    await recordEvent(tx, { projectId, operationId, at: now, kind: 'StageAdvanced', actor, data });
    emit('fleet_OperationStageAdvanced', { ...toEvent(operation), ...data });
    emit('fleet_OperationDue', { fleetOperationId });
    return { result: 'Advanced' };
  },
};

function wentOn(): ActionError {
  return new ActionError('Invalid', 'The operation has just gone on to its next stage. Look at it again.');
}
