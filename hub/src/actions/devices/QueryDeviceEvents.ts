import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { eventOrder, readEventsOfDevice, type EventRow } from '../../store/device-events.ts';
import { eventFilterSql } from '../../store/filters/event-filter.ts';
import { filteredList, readPage } from '../../store/paging/read-page.ts';

/** Lists the events of a device; newest first by default. */
export const QueryDeviceEvents: Handler<'devices_QueryDeviceEvents'> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input, now }) {
    const deviceId = ids.device.raw(input.deviceId);
    const { filter, order } = input;
    const passes = eventFilterSql(filter, now);
    const { items, more } = await readPage(eventOrder(order), input, {
      of: filteredList(deviceId, filter),
      read: (slice) => readEventsOfDevice(tx, deviceId, passes, slice),
      toItem: toOutput,
    });
    return { events: items, ...more };
  },
};

function toOutput(row: EventRow) {
  return {
    eventId: ids.deviceEvent.of(row.event_id),
    ...(row.category === null ? {} : { category: row.category }),
    severity: row.severity,
    body: row.body,
    attributes: row.attributes,
    emittedAt: row.emitted_at,
    receivedAt: row.received_at,
  };
}
