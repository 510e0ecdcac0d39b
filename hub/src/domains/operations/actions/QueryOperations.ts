import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { mustSeeDevice } from '../../projects/index.ts';
import { toSummary } from '../policy/operation-outputs.ts';
import { operationsNewestFirst, readOperations } from '../sql/operation-lists.ts';

/** Lists the operations of a device, newest first. */
export const QueryOperations: Handler<'devices_QueryOperations'> = {
  authorize: ({ tx, actor, input }) => mustSeeDevice(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const deviceId = ids.device.raw(input.deviceId);
    const { items, more } = await readPage(operationsNewestFirst, input, {
      scope: deviceId,
      read: (slice) => readOperations(tx, deviceId, slice),
      toItem: toSummary,
    });
    return { operations: items, ...more };
  },
};
