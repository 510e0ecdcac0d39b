import { ids, nameProblem } from '@corral/contract';
import { mustHaveNoProblem } from '../../../auth/input-problems.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { changeOne, setNames } from '../policy/device-changes.ts';

/** Names a device; a blank name clears it. */
export const SetDeviceName: Handler<'devices_SetDeviceName', ProjectAccess> = {
  async authorize({ tx, actor, input }) {
    const access = await mustSeeDevice(tx, actor, input.deviceId);
    mustHaveNoProblem(nameProblem(input.name ?? '', 'deviceName'));
    return access;
  },

  async run({ tx, input, now, emit }, { projectId }) {
    const target = { deviceId: ids.device.raw(input.deviceId), given: input.name ?? null };
    await changeOne(setNames({ tx, now, emit, projectId }, [target]));
    return {};
  },
};
