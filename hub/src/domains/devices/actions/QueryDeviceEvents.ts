import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { eventOrder, eventOutput, readEventsOfDevice } from '../sql/device-events.ts';
import { eventFilterSql } from '../sql/filters/event-filter.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';

/** Lists the events of a device; newest first by default. */
export const QueryDeviceEvents: Handler<'devices_QueryDeviceEvents'> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input, now }) {
    const deviceId = ids.device.raw(input.deviceId);
    const { filter, order } = input;
    const passes = eventFilterSql(filter, now);
    const { items, more } = await readPage(eventOrder(order), input, {
      scope: filteredScope(deviceId, filter),
      read: (slice) => readEventsOfDevice(tx, deviceId, passes, slice),
      toItem: eventOutput,
    });
    return { events: items, ...more };
  },
};
