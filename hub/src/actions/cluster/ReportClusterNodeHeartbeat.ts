import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { forbidden, mustBeHub } from '../../policy/actors.ts';
import { leaseEnd } from '../../store/cluster-nodes.ts';

/** Extends the lease of the calling node, or ends it when the node leaves; an expired lease is Forbidden. */
export const ReportClusterNodeHeartbeat: Handler<'cluster_ReportClusterNodeHeartbeat', string> = {
  authorize({ actor }) {
    mustBeHub(actor);
    if (actor.actor !== 'ClusterNode') throw forbidden('Only a node of the cluster may do this.');
    return ids.clusterNode.raw(actor.nodeId);
  },

  async run({ tx, input, now, emit }, nodeId) {
    const isLeaving = input.isLeaving === true;
    const prolonged = await tx
      .updateTable('cluster_nodes')
      .set({ lease_until: isLeaving ? now : leaseEnd(now), last_heartbeat_at: now })
      .where('node_id', '=', nodeId)
      .where('lease_until', '>', now.toISOString())
      .executeTakeFirst();
    if (prolonged.numUpdatedRows === 0n) throw forbidden('This node has lost its lease.');
    if (isLeaving) emit('cluster_NodesChanged', {});
    return {};
  },
};
