import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';

const usualLimit = 100;
const highestLimit = 1000;

/** Lists the newest events of a device, at most 1000. */
export const QueryDeviceEvents: Handler<'devices_QueryDeviceEvents'> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input }) {
    const rows = await tx
      .selectFrom('device_events')
      .select(['event_id', 'category', 'severity', 'body', 'attributes', 'emitted_at', 'received_at'])
      .where('device_id', '=', ids.device.raw(input.deviceId))
      .orderBy('emitted_at', 'desc')
      .orderBy('event_id', 'desc')
      .limit(Math.min(input.limit ?? usualLimit, highestLimit))
      .execute();
    const events = rows.map((row) => ({
      eventId: ids.deviceEvent.of(row.event_id),
      ...(row.category === null ? {} : { category: row.category }),
      severity: row.severity,
      body: row.body,
      attributes: row.attributes,
      emittedAt: row.emitted_at,
      receivedAt: row.received_at,
    }));
    return { events };
  },
};
