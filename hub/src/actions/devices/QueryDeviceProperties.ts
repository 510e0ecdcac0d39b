import { ids, type Json } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { propertiesByName, readProperties, toPropertyOutput } from '../../store/device-properties.ts';
import { readPage } from '../../store/paging/read-page.ts';

/** Reads the properties of a device, by name. */
export const QueryDeviceProperties: Handler<'devices_QueryDeviceProperties'> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const deviceId = ids.device.raw(input.deviceId);
    const { items, more } = await readPage(propertiesByName, input, {
      of: deviceId,
      read: (slice) => readProperties(tx, deviceId, slice),
      toItem: (row) => toPropertyOutput({ ...row, value: JSON.parse(row.value) as Json }),
    });
    return { properties: Object.fromEntries(items.map((property) => [property.name, property])), ...more };
  },
};
