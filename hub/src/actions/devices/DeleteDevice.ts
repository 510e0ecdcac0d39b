import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustSeeDevice, type ProjectAccess } from '../../policy/projects.ts';
import { allowLongDelete } from '../../store/long-deletes.ts';

/** Deletes a device with all its data; gateways close its connections on the event. */
export const DeleteDevice: Handler<'devices_DeleteDevice', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDevice(tx, actor, input.deviceId),

  async run({ tx, input, emit }, { projectId }) {
    await allowLongDelete(tx);
    const deleted = await tx
      .deleteFrom('devices')
      .where('device_id', '=', ids.device.raw(input.deviceId))
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) throw notFound('Device');
    emit('devices_Deleted', { deviceId: input.deviceId, projectId: ids.project.of(projectId) });
    return {};
  },
};
