import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeFleetOperation, type ProjectAccess } from '../../projects/index.ts';
import { recordEvent } from '../sql/events.ts';
import { lockForChange, toEvent, wrongStatus } from '../sql/locks.ts';

/** Pauses a running operation: nothing is handed out after its commit. Any member may, whatever the number of devices. */
export const PauseOperation: Handler<'fleet_PauseOperation', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, input, actor, now, emit }, { projectId }) {
    const operationId = ids.fleetOperation.raw(input.fleetOperationId);
    const operation = await lockForChange(tx, operationId);
    if (operation.status === 'Paused') return {};
    if (operation.status !== 'Running') throw wrongStatus(operation);
    await sql`update fleet_operations set status = 'Paused', pause_reason = null where fleet_operation_id = ${operationId}`.execute(
      tx,
    );
    await recordEvent(tx, { projectId, operationId, at: now, kind: 'Paused', actor });
    emit('fleet_OperationPaused', toEvent(operation));
    return {};
  },
};
