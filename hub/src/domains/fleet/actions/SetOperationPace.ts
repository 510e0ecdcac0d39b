import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeFleetOperation, type ProjectAccess } from '../../projects/index.ts';
import { recordEvent } from '../sql/events.ts';
import { lockForChange, mustBeAllowed, toEvent, wrongStatus } from '../sql/locks.ts';

/** Changes the pace of an operation that has not ended. */
export const SetOperationPace: Handler<'fleet_SetOperationPace', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, input, actor, now, emit }, { projectId, isOwner }) {
    const { fleetOperationId, maxInFlight, pauseOnFailurePercent } = input;
    if (maxInFlight === undefined && pauseOnFailurePercent === undefined)
      throw new ActionError('Invalid', 'Give maxInFlight, pauseOnFailurePercent or both.');
    const operationId = ids.fleetOperation.raw(fleetOperationId);
    const operation = await lockForChange(tx, operationId);
    if (!['Draft', 'Running', 'Paused'].includes(operation.status)) throw wrongStatus(operation);
    await mustBeAllowed(tx, { isOwner, projectId }, operationId);
    await sql`
      update fleet_operations set max_in_flight = coalesce(${maxInFlight ?? null}, max_in_flight),
        pause_on_failure_percent = coalesce(${pauseOnFailurePercent ?? null}, pause_on_failure_percent)
      where fleet_operation_id = ${operationId}`.execute(tx);
    const pace = {
      ...(maxInFlight === undefined ? {} : { maxInFlight }),
      ...(pauseOnFailurePercent === undefined ? {} : { pauseOnFailurePercent }),
    };
    await recordEvent(tx, { projectId, operationId, at: now, kind: 'PaceChanged', actor, data: pace });
    emit('fleet_OperationPaceChanged', { ...toEvent(operation), ...pace });
    emit('fleet_OperationDue', { fleetOperationId });
    return {};
  },
};
