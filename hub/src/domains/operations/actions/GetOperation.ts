import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { findDeviceOperationAccess, type ProjectAccess } from '../../projects/index.ts';
import { maskedSteps, secretPlaces } from '../policy/masked-inputs.ts';
import { toStepState, toSummary } from '../policy/operation-outputs.ts';
import { readManifest } from '../sql/manifest.ts';
import { readOperation, readReachedSteps } from '../sql/operation-lists.ts';

/** Returns an operation of a device; `NotFound` also where the caller may not see it. */
export const GetOperation: Handler<'devices_GetOperation', ProjectAccess | undefined> = {
  authorize: ({ tx, actor, input }) => findDeviceOperationAccess(tx, actor, input.deviceOperationId),

  async run({ tx, input }, access) {
    const operationId = ids.deviceOperation.raw(input.deviceOperationId);
    const row = access === undefined ? undefined : await readOperation(tx, operationId);
    if (row === undefined) return { result: 'NotFound' };
    // Also what the device says by now: it may have said nothing when the operation was made.
    const said = secretPlaces(row.steps, await readManifest(tx, row.device_id, row.steps));
    return {
      result: 'Found',
      summary: toSummary(row),
      steps: maskedSteps(row.steps, [...row.secret_places, ...said]),
      stepStates: (await readReachedSteps(tx, operationId)).map(toStepState),
    };
  },
};
