import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { jsonWithin } from '../../policy/sizes.ts';

const maxKib = 64;

/** Replaces the metadata of a device as a whole. */
export const SetDeviceMetadata: Handler<'devices_SetDeviceMetadata', { readonly projectId: string }> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input, emit }, { projectId }) {
    const changed = await tx
      .updateTable('devices')
      .set({ metadata: jsonWithin(maxKib, 'The metadata of a device', input.metadata) })
      .where('device_id', '=', ids.device.raw(input.deviceId))
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw notFound('Device');
    emit('devices_MetadataChanged', { projectId: ids.project.of(projectId), deviceId: input.deviceId });
    return {};
  },
};
