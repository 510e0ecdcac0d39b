import { z } from 'zod';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, text, timestamp, uint32, uint64 } from '../scalars.ts';

/** Actions on the nodes of the cluster. */
export const clusterActions = {
  cluster_GetClusterDetails: pagedQuery({
    doc: 'Lists the nodes of the cluster that hold a lease, with their uptime; for administrators also with their version, their connections and load, and whether they reach NATS.',
    reads: ['cluster'],
    input: empty,
    output: z.object({
      nodes: z.array(
        z.object({
          nodeId: ids.clusterNode.schema,
          name: text.optional(),
          joinedAt: timestamp,
          uptimeSecs: uint32,
          lastHeartbeat: timestamp,
          version: text.optional(),
          /** Whether other nodes reach it; only for the hub itself. */
          isReachable: z.boolean().optional(),
          /** How many connections of devices the node has. */
          connections: uint32.optional(),
          /** Whether the node reaches NATS; absent where it uses none, and for others than administrators. */
          isBusConnected: z.boolean().optional(),
          /** The load average of its machine over a minute, as of its last heartbeat, as the next three are; only for administrators. */
          load: z.number().min(0).optional(),
          /** How many cores its machine has. */
          cores: uint32.optional(),
          /** The memory of the process of the hub. */
          memoryBytes: uint64.optional(),
          /** The memory that the process could have at most. */
          machineMemoryBytes: uint64.optional(),
        }),
      ),
    }),
  }),
} as const;
