import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/connect.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { endConnection } from '../../store/connections.ts';
import { liveConnection } from '../../store/presence.ts';

/** Records the end of a connection; one that has ended already, or has gone with its device, stays as it is. */
export const UnregisterDeviceConnection: Handler<'devices_UnregisterDeviceConnection'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, actor, input, now, emit }) {
    const nodeId = actor.actor === 'ClusterNode' ? ids.clusterNode.raw(actor.nodeId) : undefined;
    const connectionId = ids.deviceConnection.raw(input.connectionId);
    const reason = input.endReason ?? 'Disconnected';
    const ended = await endConnection(tx, connectionId, reason, nodeId, now);
    if (ended === undefined) return {};
    emit('devices_ConnectionChanged', {
      projectId: ids.project.of(ended.projectId),
      deviceId: ids.device.of(ended.deviceId),
      connectionId: input.connectionId,
      isConnected: await isConnected(tx, ended.deviceId, now),
    });
    return {};
  },
};

/** Asked in a statement of its own, behind the lock that the first one took, so that two ends at once see each other. */
async function isConnected(tx: Database, rawDeviceId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ is_connected: boolean }>`
    select ${liveConnection(now)} as is_connected from devices d where d.device_id = ${rawDeviceId}`.execute(
    tx,
  );
  return rows[0]?.is_connected === true;
}
