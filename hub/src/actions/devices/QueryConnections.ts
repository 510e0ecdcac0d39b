import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { readHistory, type PastConnection } from '../../store/connection-history.ts';

const usual = 100;
const most = 1000;

/** Lists the connections of a device with their ends, newest first. */
export const QueryConnections: Handler<'devices_QueryConnections'> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input, now }) {
    const asked = { limit: Math.min(input.limit ?? usual, most), activeOnly: input.activeOnly ?? false };
    const rows = await readHistory(tx, ids.device.raw(input.deviceId), asked, now);
    return { connections: rows.map((row) => shown(row, now)) };
  },
};

function shown(row: PastConnection, now: Date) {
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
