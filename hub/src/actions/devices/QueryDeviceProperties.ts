import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { propertyColumns, shownProperty } from '../../store/device-properties.ts';

/** Reads all properties of a device. */
export const QueryDeviceProperties: Handler<'devices_QueryDeviceProperties'> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const rows = await tx
      .selectFrom('device_properties')
      .select(propertyColumns)
      .where('device_id', '=', ids.device.raw(input.deviceId))
      .orderBy('name')
      .execute();
    return { properties: Object.fromEntries(rows.map((row) => [row.name, shownProperty(row)])) };
  },
};
