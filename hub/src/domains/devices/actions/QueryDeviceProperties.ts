import { ids } from '@corral/contract';
import { withJsonTexts } from '../../../platform/db/json-text.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { propertiesByName, readProperties, toPropertyOutput } from '../sql/device-properties.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { compactText } from '../../../platform/db/paging/read-within-bytes.ts';

/** Reads the properties of a device, by name. */
export const QueryDeviceProperties: Handler<'devices_QueryDeviceProperties'> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const deviceId = ids.device.raw(input.deviceId);
    const { items, more } = await readPage(propertiesByName, input, {
      scope: deviceId,
      read: (slice) => readProperties(tx, deviceId, slice),
      toItem: (row) => withJsonTexts(toPropertyOutput(row), { value: compactText(row.value) }),
    });
    return { properties: Object.fromEntries(items.map((property) => [property.name, property])), ...more };
  },
};
