import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Internal } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { foldAssetUses } from '../../assets/index.ts';
import { isConnected } from '../../devices/index.ts';
import { foldProjectCounts } from '../../projects/index.ts';
import { foldRepositoryCounts } from '../../repositories/index.ts';
import { cleanUpLostNodes } from '../sql/cluster-nodes.ts';

/** Closes some thousands of the connections, and the audit rows, of nodes without a lease, and emits an event for each affected device; also folds the counts of projects and repositories. Safe on any node at any time. */
export const CleanupInactiveClusterNodes: Internal<void, { hasMore: boolean }> = {
  name: 'cluster_CleanupInactiveClusterNodes',
  async run({ tx, now, emit }) {
    const { deviceIds, hasChanged, hasMore } = await cleanUpLostNodes(tx, now);
    await foldProjectCounts(tx);
    await foldRepositoryCounts(tx);
    await foldAssetUses(tx);
    if (hasChanged) emit('cluster_NodesChanged', {});
    for (const device of await presenceOf(tx, deviceIds, now)) {
      emit('devices_ConnectionChanged', {
        projectId: ids.project.of(device.project_id),
        deviceId: ids.device.of(device.device_id),
        isConnected: device.is_connected,
      });
    }
    return { hasMore };
  },
};

interface Presence {
  readonly device_id: string;
  readonly project_id: string;
  readonly is_connected: boolean;
}

async function presenceOf(tx: Database, deviceIds: string[], now: Date): Promise<Presence[]> {
  if (deviceIds.length === 0) return [];
  const { rows } = await sql<Presence>`
    select d.device_id, d.project_id, ${isConnected(now)} as is_connected
    from devices d where d.device_id = any(${deviceIds})`.execute(tx);
  return rows;
}
