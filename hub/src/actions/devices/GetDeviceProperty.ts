import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { propertyColumns, shownProperty } from '../../store/device-properties.ts';

/** Reads one property of a device. */
export const GetDeviceProperty: Handler<'devices_GetDeviceProperty'> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const row = await tx
      .selectFrom('device_properties')
      .select(propertyColumns)
      .where('device_id', '=', ids.device.raw(input.deviceId))
      .where('name', '=', input.name)
      .executeTakeFirst();
    return row === undefined ? { result: 'NotFound' } : { result: 'Found', ...shownProperty(row) };
  },
};
