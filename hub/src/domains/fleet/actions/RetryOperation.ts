import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeApproved, mustSeeFleetOperation, type ProjectAccess } from '../../projects/index.ts';
import { mostDevicesOfMembers } from '../sql/definition.ts';
import { recordEvent } from '../sql/events.ts';
import { lockForChange, lockStages, needsOwner, toEvent, wrongStatus } from '../sql/locks.ts';
import { retryDevices } from '../sql/retry.ts';

/** Runs an operation again on devices of it, also after it has ended or was cancelled; a paused one stays paused. */
export const RetryOperation: Handler<'fleet_RetryOperation', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, input, actor, now, emit }, { projectId, isOwner }) {
    const { fleetOperationId, which } = input;
    if (which.length === 0)
      throw new ActionError('Invalid', 'Say in "which" how those ended that are tried again.');
    const operationId = ids.fleetOperation.raw(fleetOperationId);
    await lockStages(tx, operationId);
    const operation = await lockForChange(tx, operationId);
    if (operation.status === 'Draft') throw wrongStatus(operation);
    if (operation.status === 'Cancelled' && operation.completedAt === null)
      throw new ActionError(
        'Invalid',
        'The operation is being cancelled. Try its devices again when all of them have ended.',
      );
    const devices = await retryDevices(tx, operationId, operation.activeStage, input, now);
    if (devices === 0)
      throw new ActionError('Invalid', 'No device of the operation ended in one of these ways.');
    if (!isOwner && devices > mostDevicesOfMembers) throw await needsOwner(tx, projectId);
    await mustBeApproved(tx, { projectId, isOwner, actor }, operation.createdBy, { devices, steps: [] });
    await sql`
      update fleet_operations set status = case when status = 'Paused' then status else 'Running' end, completed_at = null,
        final_counts = null, resumed_at = case when status in ('Running', 'Paused') then resumed_at else ${now}::timestamptz end
      where fleet_operation_id = ${operationId}`.execute(tx);
    const data = { devices, which };
    await recordEvent(tx, { projectId, operationId, at: now, kind: 'Retried', actor, data });
    emit('fleet_OperationRetried', { ...toEvent(operation), ...data });
    emit('fleet_OperationDue', { fleetOperationId });
    return { devices };
  },
};
