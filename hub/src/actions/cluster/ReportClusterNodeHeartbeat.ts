import { ids } from '@corral/contract';
import { sql } from 'kysely';
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
    const { rows } = await sql<{ isOtherBus: boolean }>`
      update cluster_nodes n set
        lease_until = ${isLeaving ? now : leaseEnd(now)}, last_heartbeat_at = ${now}, message_bus = ${busOf(input)}
      from (select node_id, message_bus from cluster_nodes where node_id = ${nodeId}) as before
      where n.node_id = before.node_id and n.lease_until > ${now}
      returning n.message_bus is distinct from before.message_bus as "isOtherBus"`.execute(tx);
    if (rows[0] === undefined) throw forbidden('This node has lost its lease.');
    if (isLeaving || rows[0].isOtherBus) emit('cluster_NodesChanged', {});
    return {};
  },
};

function busOf({ isBusConnected }: { readonly isBusConnected?: boolean | undefined }): string | null {
  if (isBusConnected === undefined) return null;
  return isBusConnected ? 'Connected' : 'Disconnected';
}
