import { type Id, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Internal } from '../../../calls/handler.ts';
import { forbidden } from '../../../auth/actors.ts';
import { leaseEnd } from '../sql/cluster-nodes.ts';

interface Heartbeat {
  readonly nodeId: Id<'clusterNode'>;
  /** The node stops: its lease and its connections end now. */
  readonly isLeaving?: boolean;
  /** Whether the node reaches NATS; undefined where it uses none. */
  readonly isBusConnected?: boolean | undefined;
  /** What its process and its machine are busy with. */
  readonly usage?: NodeUsage;
  /** How full the disk of its data folder is; undefined where it does not know. */
  readonly diskPercent?: number | undefined;
}

interface NodeUsage {
  /** The memory of the process. */
  readonly memoryBytes: number;
  /** The load average of the machine over a minute. */
  readonly load: number;
  /** What the load is of. */
  readonly cores: number;
  /** The memory that the process could have at most. */
  readonly machineMemoryBytes: number;
}

/** Extends the lease of the calling node, or ends it when the node leaves; an expired lease is Forbidden. */
export const ReportClusterNodeHeartbeat: Internal<Heartbeat, void> = {
  name: 'cluster_ReportClusterNodeHeartbeat',

  async run({ tx, input, now, emit }) {
    const isLeaving = input.isLeaving === true;
    const { rows } = await sql<{ isOtherBus: boolean }>`
      update cluster_nodes n set
        lease_until = ${isLeaving ? now : leaseEnd(now)}, last_heartbeat_at = ${now}, message_bus = ${busOf(input)},
        memory_bytes = ${input.usage?.memoryBytes ?? null}, load = ${input.usage?.load ?? null},
        cores = ${input.usage?.cores ?? null}, machine_memory_bytes = ${input.usage?.machineMemoryBytes ?? null},
        disk_percent = ${input.diskPercent ?? null}
      from (select node_id, message_bus from cluster_nodes where node_id = ${ids.clusterNode.raw(input.nodeId)}) as before
      where n.node_id = before.node_id and n.lease_until > ${now}
      returning n.message_bus is distinct from before.message_bus as "isOtherBus"`.execute(tx);
    if (rows[0] === undefined) throw forbidden('This node has lost its lease.');
    if (isLeaving || rows[0].isOtherBus) emit('cluster_NodesChanged', {});
  },
};

function busOf({ isBusConnected }: Heartbeat): string | null {
  if (isBusConnected === undefined) return null;
  return isBusConnected ? 'Connected' : 'Disconnected';
}
