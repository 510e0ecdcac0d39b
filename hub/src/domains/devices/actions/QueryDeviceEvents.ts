import { ids, type Json } from '@corral/contract';
import { withJsonTexts } from '../../../platform/db/json-text.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { eventOrder, readEventsOfDevice, type EventRow } from '../sql/device-events.ts';
import { eventFilterSql } from '../sql/filters/event-filter.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { compactText } from '../../../platform/db/paging/read-within-bytes.ts';

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
      toItem: toOutput,
    });
    return { events: items, ...more };
  },
};

function toOutput(row: EventRow) {
  const event = {
    eventId: ids.deviceEvent.of(row.event_id),
    ...(row.category === null ? {} : { category: row.category }),
    severity: row.severity,
    body: null as Json,
    attributes: {} as Record<string, Json>,
    emittedAt: row.device_time ?? row.emitted_at,
    receivedAt: row.received_at,
  };
  const texts = { body: compactText(row.body), attributes: compactText(row.attributes) };
  return withJsonTexts(event, texts);
}
