import { deviceNameProblem, ids } from '@corral/contract';
import { requireNoProblem } from '../../auth/input-problems.ts';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustSeeDevice, type ProjectAccess } from '../../policy/projects.ts';
import { renameDevice } from '../../store/rename-device.ts';

interface Access extends ProjectAccess {
  readonly name: string | null;
}

/** Names a device; a blank name clears it. */
export const SetDeviceName: Handler<'devices_SetDeviceName', Access> = {
  async authorize({ tx, actor, input }) {
    const access = await mustSeeDevice(tx, actor, input.deviceId);
    const name = input.name?.trim() || null;
    requireNoProblem(deviceNameProblem(name ?? ''));
    return { ...access, name };
  },

  async run({ tx, input, emit }, { projectId, name }) {
    const isRenamed = await renameDevice(tx, ids.device.raw(input.deviceId), name);
    if (!isRenamed) throw notFound('Device');
    emit('devices_NameChanged', { deviceId: input.deviceId, projectId: ids.project.of(projectId), name });
    return {};
  },
};
