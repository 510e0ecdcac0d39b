import { ActionError, ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeFleetOperation, type ProjectAccess } from '../../projects/index.ts';
import type { Stage } from '../sql/definition.ts';
import { createDraft } from '../sql/drafts.ts';
import { recordEvent } from '../sql/events.ts';
import { lockForChange, wrongStatus } from '../sql/locks.ts';
import { findUndoable } from '../sql/undo.ts';

const longestName = 128;

/** Makes a draft that gives devices back what they had before an operation, unless it was changed since. What commands did stays. */
export const PrepareUndo: Handler<'fleet_PrepareUndo', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, db, input, actor, now, emit }, { projectId }) {
    const operation = await lockForChange(tx, ids.fleetOperation.raw(input.fleetOperationId));
    if (operation.status === 'Draft') throw wrongStatus(operation);
    const { definition } = operation;
    const { devices, steps } = await findUndoable(tx, operation);
    if (steps.length === 0)
      throw new ActionError(
        'Invalid',
        'There is nothing to undo: no device has a property or a version from this operation that was not changed since.',
      );
    const name = `Undo of ${operation.name}`.slice(0, longestName);
    const given = {
      projectId: ids.project.of(projectId),
      name,
      selector: { deviceIds: [...devices], predicates: [] },
      stages: definition.stages.map(onTheWayBack),
      steps,
      maxInFlight: operation.maxInFlight,
      pauseOnFailurePercent: operation.pauseOnFailurePercent,
      deliverWithinSecs: operation.deliverWithinSecs,
    };
    const operationId = await createDraft(
      tx,
      {
        given,
        definition: {
          selector: given.selector,
          stages: given.stages,
          undoes: operation.operationId,
        },
        plan: { selector: given.selector, steps, version: undefined },
        actor,
        previewHash: undefined,
      },
      { projectId, now, db },
    );
    await recordEvent(tx, {
      projectId,
      operationId,
      at: now,
      kind: 'Created',
      actor,
      data: { undoes: input.fleetOperationId },
    });
    const fleetOperationId = ids.fleetOperation.of(operationId);
    emit('fleet_OperationCreated', { projectId: given.projectId, fleetOperationId, name });
    return { fleetOperationId };
  },
};

/** The same stage, but without its rest, and without what had to be true of the devices then. */
function onTheWayBack(stage: Stage): Stage {
  const { soakSecs: _, guard, ...same } = stage;
  return guard === undefined ? same : { ...same, guard: { ...guard, gates: [] } };
}
