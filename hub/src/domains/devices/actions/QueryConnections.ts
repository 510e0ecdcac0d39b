import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { connectionsNewestFirst, readConnections, type PastConnection } from '../sql/connection-history.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';

/** Lists the connections of a device with their ends, newest first. */
export const QueryConnections: Handler<'devices_QueryConnections'> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input, now }) {
    const device = { deviceId: ids.device.raw(input.deviceId), activeOnly: input.activeOnly ?? false };
    const { items, more } = await readPage(connectionsNewestFirst, input, {
      scope: filteredScope(device.deviceId, device.activeOnly ? 'active' : undefined),
      read: (slice) => readConnections(tx, device, slice, now),
      toItem: (row) => toOutput(row, now),
    });
    return { connections: items, ...more };
  },
};

function toOutput(row: PastConnection, now: Date) {
  const untilMs = row.ended_at === null ? now.getTime() : Date.parse(row.ended_at);
  const durationMs = untilMs - Date.parse(row.connected_at);
  return {
    connectionId: ids.deviceConnection.of(row.connection_id),
    nodeId: ids.clusterNode.of(row.node_id),
    connectedAt: row.connected_at,
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at, endReason: row.end_reason ?? 'Unknown' }),
    durationSecs: Math.max(0, Math.floor(durationMs / 1000)),
  };
}
