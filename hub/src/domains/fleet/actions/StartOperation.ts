import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeFleetOperation, type ProjectAccess } from '../../projects/index.ts';
import { readHeldBack } from '../policy/stages.ts';
import { recordEvent } from '../sql/events.ts';
import { lockForChange, mustBeAllowed, toEvent, wrongStatus } from '../sql/locks.ts';
import { startDraft } from '../sql/start.ts';

/** Starts a draft, or lets a paused operation go on, unless it would only pause again; one that runs already stays as it is. */
export const StartOperation: Handler<'fleet_StartOperation', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, db, input, actor, now, emit }, { projectId, isOwner }) {
    const { fleetOperationId } = input;
    const operationId = ids.fleetOperation.raw(fleetOperationId);
    const operation = await lockForChange(tx, operationId);
    const of = { projectId, operationId, at: now, actor };
    if (operation.status === 'Draft') {
      const { devices, isApproved } = await startDraft(
        tx,
        operation,
        { isOwner, actor },
        { projectId, now, db },
      );
      const data = { devices, ...(isApproved ? { approvedFor: { ...operation.createdBy } } : {}) };
      await recordEvent(tx, { ...of, kind: isApproved ? 'Approved' : 'Started', data });
      emit('fleet_OperationStarted', { ...toEvent(operation), ...data });
    } else if (operation.status === 'Paused') {
      await mustBeAllowed(tx, { isOwner, projectId }, operationId);
      const heldBack = await readHeldBack(tx, operation);
      if (heldBack !== undefined)
        throw new ActionError(
          'Invalid',
          `${heldBack} Run it again on the devices that failed, or open the next stage nevertheless.`,
        );
      await sql`update fleet_operations set status = 'Running', resumed_at = ${now}, pause_reason = null
        where fleet_operation_id = ${operationId}`.execute(tx);
      await recordEvent(tx, { ...of, kind: 'Resumed' });
      emit('fleet_OperationResumed', toEvent(operation));
    } else if (operation.status === 'Running') return {};
    else throw wrongStatus(operation);
    emit('fleet_OperationDue', { fleetOperationId });
    return {};
  },
};
