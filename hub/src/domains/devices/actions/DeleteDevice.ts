import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { changeOne, deleteAll } from '../policy/device-changes.ts';

/** Deletes a device with all its data; gateways close its connections on the event. */
export const DeleteDevice: Handler<'devices_DeleteDevice', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDevice(tx, actor, input.deviceId),

  async run({ tx, input, now, emit }, { projectId }) {
    const target = { deviceId: ids.device.raw(input.deviceId), given: null };
    await changeOne(deleteAll({ tx, now, emit, projectId }, [target]));
    return {};
  },
};
