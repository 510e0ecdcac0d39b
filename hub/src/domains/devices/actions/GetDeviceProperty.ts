import { ids } from '@corral/contract';
import { withJsonTexts } from '../../../platform/db/json-text.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { readUnparsedProperty, toPropertyOutput } from '../sql/device-properties.ts';
import { compactText } from '../../../platform/db/paging/read-within-bytes.ts';

/** Returns a property of a device. */
export const GetDeviceProperty: Handler<'devices_GetDeviceProperty'> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const row = await readUnparsedProperty(tx, ids.device.raw(input.deviceId), input.name);
    if (row === undefined) return { result: 'NotFound' };
    return withJsonTexts(
      { result: 'Found' as const, ...toPropertyOutput(row) },
      { value: compactText(row.value) },
    );
  },
};
