import { ids, type Json, parseExactJson } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { commandsProperty, readUnparsedProperty } from '../../devices/index.ts';
import { findDeviceOperationAccess, type ProjectAccess } from '../../projects/index.ts';
import { maskedSteps } from '../policy/masked-inputs.ts';
import { toStepState, toSummary } from '../policy/operation-outputs.ts';
import { readOperation, readReachedSteps } from '../sql/operation-lists.ts';

/** Returns an operation of a device; `NotFound` also where the caller may not see it. */
export const GetOperation: Handler<'devices_GetOperation', ProjectAccess | undefined> = {
  authorize: ({ tx, actor, input }) => findDeviceOperationAccess(tx, actor, input.deviceOperationId),

  async run({ tx, input }, access) {
    const operationId = ids.deviceOperation.raw(input.deviceOperationId);
    const row = access === undefined ? undefined : await readOperation(tx, operationId);
    if (row === undefined) return { result: 'NotFound' };
    const offered = row.steps.some(({ kind }) => kind === 'DeviceCommand')
      ? await readUnparsedProperty(tx, row.device_id, commandsProperty)
      : undefined;
    const manifest = offered && (parseExactJson(offered.value) as Json);
    return {
      result: 'Found',
      summary: toSummary(row),
      steps: maskedSteps(row.steps, manifest),
      stepStates: (await readReachedSteps(tx, operationId)).map(toStepState),
    };
  },
};
