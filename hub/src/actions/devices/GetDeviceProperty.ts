import { ids } from '@corral/contract';
import { withJsonTexts } from '../../db/json-text.ts';
import type { Handler } from '../../executor/handler.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { readUnparsedProperty, toPropertyOutput } from '../../store/device-properties.ts';
import { compactText } from '../../store/paging/read-within-bytes.ts';

/** Returns a property of a device. */
export const GetDeviceProperty: Handler<'devices_GetDeviceProperty'> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const row = await readUnparsedProperty(tx, ids.device.raw(input.deviceId), input.name);
    if (row === undefined) return { result: 'NotFound' };
    return withJsonTexts(
      { result: 'Found' as const, ...toPropertyOutput(row) },
      { value: compactText(row.value) },
    );
  },
};
