import { ids, type Output } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { maskedSteps } from '../../operations/index.ts';
import { findFleetOperationAccess, type ProjectAccess } from '../../projects/index.ts';
import { readHeldBack } from '../policy/stages.ts';
import { askedOf, findOperation, shownStages, toSummary } from '../sql/fleet-operations.ts';
import { startersOf } from '../sql/starters.ts';
import { readStageStates } from '../sql/stage-states.ts';

type Found = Extract<Output<'fleet_GetOperation'>, { result: 'Found' }>;

/** Returns an operation with its definition and its stages; operations of foreign projects are not found. */
export const GetOperation: Handler<'fleet_GetOperation', ProjectAccess | undefined> = {
  authorize: ({ tx, actor, input }) => findFleetOperationAccess(tx, actor, input.fleetOperationId),

  async run({ tx, input, actor, now }, access) {
    if (access === undefined) return { result: 'NotFound' };
    const row = await findOperation(tx, ids.fleetOperation.raw(input.fleetOperationId));
    if (row === undefined) return { result: 'NotFound' };
    const { fleet_operation_id: operationId, active_stage: activeStage, definition, status } = row;
    const heldBack =
      status === 'Paused' ? await readHeldBack(tx, { operationId, activeStage, definition }) : undefined;
    return {
      result: 'Found',
      summary: toSummary(row, now),
      selector: row.definition.selector,
      stages: [...shownStages(row)],
      steps: maskedSteps(row.steps as Found['steps'], row.secret_places ?? []),
      stageStates: await readStageStates(tx, row),
      ...(heldBack === undefined ? {} : { isHeldByGuard: true }),
      ...(await startersOf(tx, { ...access, actor }, row, askedOf(row))),
    };
  },
};
