import { ids } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { findUntakenSteps } from '../sql/due-operations.ts';

/** Tells the nodes again which connected devices have a step that nobody has taken: hints may be lost. */
export const HintUntakenSteps: Internal<void, void> = {
  name: 'operations_HintUntakenSteps',

  async run({ tx, now, emit }) {
    for (const deviceId of await findUntakenSteps(tx, now))
      emit('devices_OperationWorkAvailable', { deviceId: ids.device.of(deviceId) });
  },
};
