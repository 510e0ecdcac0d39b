import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { readProperty, toPropertyOutput } from '../../store/device-properties.ts';

/** Returns a property of a device. */
export const GetDeviceProperty: Handler<'devices_GetDeviceProperty'> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const row = await readProperty(tx, ids.device.raw(input.deviceId), input.name);
    return row === undefined ? { result: 'NotFound' } : { result: 'Found', ...toPropertyOutput(row) };
  },
};
