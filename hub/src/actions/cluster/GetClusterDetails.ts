import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBePerson } from '../../policy/actors.ts';

/** Lists the nodes that hold their lease, the oldest first. */
export const GetClusterDetails: Handler<'cluster_GetClusterDetails'> = {
  authorize({ actor }) {
    if (actor.actor !== 'System' && actor.actor !== 'ClusterNode') mustBePerson(actor);
  },

  async run({ tx, now }) {
    const rows = await tx
      .selectFrom('cluster_nodes')
      .select(['node_id', 'name', 'joined_at', 'last_heartbeat_at'])
      .where('lease_until', '>', now.toISOString())
      .orderBy('joined_at')
      .orderBy('node_id')
      .execute();
    const nodes = rows.map((row) => ({
      nodeId: ids.clusterNode.of(row.node_id),
      ...(row.name === null ? {} : { name: row.name }),
      joinedAt: row.joined_at,
      uptimeSecs: Math.max(0, Math.floor((now.getTime() - Date.parse(row.joined_at)) / 1000)),
      lastHeartbeat: row.last_heartbeat_at,
    }));
    return { nodes };
  },
};
