import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { deleteDevice } from '../sql/device-deletion.ts';

/** Deletes a device with all its data; gateways close its connections on the event. */
export const DeleteDevice: Handler<'devices_DeleteDevice', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDevice(tx, actor, input.deviceId),

  async run({ tx, input, now, emit }, { projectId }) {
    const deleted = await deleteDevice(tx, ids.device.raw(input.deviceId), now);
    if (deleted === undefined) throw notFound('Device');
    const named = deleted.name === null ? {} : { name: deleted.name };
    emit('devices_Deleted', { deviceId: input.deviceId, projectId: ids.project.of(projectId), ...named });
    return {};
  },
};
