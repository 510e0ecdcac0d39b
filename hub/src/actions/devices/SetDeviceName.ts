import { deviceNameProblem, ids } from '@corral/contract';
import { requireNoProblem } from '../../auth/input-problems.ts';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustSeeDevice, type ProjectAccess } from '../../policy/projects.ts';

/** Names a device; a blank name clears it. */
export const SetDeviceName: Handler<'devices_SetDeviceName', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeDevice(tx, actor, input.deviceId),

  async run({ tx, input, emit }, { projectId }) {
    const name = input.name?.trim() || null;
    requireNoProblem(deviceNameProblem(name ?? ''));
    const named = await tx
      .updateTable('devices')
      .set({ name })
      .where('device_id', '=', ids.device.raw(input.deviceId))
      .executeTakeFirst();
    if (named.numUpdatedRows === 0n) throw notFound('Device');
    emit('devices_NameChanged', { deviceId: input.deviceId, projectId: ids.project.of(projectId), name });
    return {};
  },
};
