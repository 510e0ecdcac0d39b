import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeFleetOperation, type ProjectAccess } from '../../projects/index.ts';
import { recordEvent } from '../sql/events.ts';
import { noDevices } from '../sql/fleet-operations.ts';
import { lockForChange, mustBeAllowed, toEvent, wrongStatus } from '../sql/locks.ts';

/** Ends an operation: nothing is handed out after its commit, and the driver cancels the devices. */
export const CancelOperation: Handler<'fleet_CancelOperation', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, input, actor, now, emit }, { projectId, isOwner }) {
    const { fleetOperationId } = input;
    const operationId = ids.fleetOperation.raw(fleetOperationId);
    const operation = await lockForChange(tx, operationId);
    const { status } = operation;
    if (status === 'Cancelled') return {};
    if (status === 'Completed' || status === 'Failed') throw wrongStatus(operation);
    await mustBeAllowed(tx, { isOwner, projectId }, operationId);
    const isDraft = status === 'Draft';
    await sql`
      update fleet_operations set status = 'Cancelled', pause_reason = null, previewed_devices = null,
        completed_at = ${isDraft ? now : null}, final_counts = ${isDraft ? JSON.stringify(noDevices) : null}::jsonb
      where fleet_operation_id = ${operationId}`.execute(tx);
    await recordEvent(tx, { projectId, operationId, at: now, kind: 'Cancelled', actor });
    emit('fleet_OperationCancelled', toEvent(operation));
    emit('fleet_OperationDue', { fleetOperationId });
    return {};
  },
};
