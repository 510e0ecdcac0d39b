import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { mustDeleteWithProof } from '../../users/index.ts';
import { changeOne, deleteAll } from '../policy/device-changes.ts';

/** Deletes a device with all its data; gateways close its connections on the event. */
export const DeleteDevice: Handler<'devices_DeleteDevice', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDevice(tx, actor, input.deviceId),

  async run(context, { projectId }) {
    const { tx, input, now, emit } = context;
    await mustDeleteWithProof(context, 1);
    const target = { deviceId: ids.device.raw(input.deviceId), given: null };
    await changeOne(deleteAll({ tx, now, emit, projectId }, [target]));
    return {};
  },
};
