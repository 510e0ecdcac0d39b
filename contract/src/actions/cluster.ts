import { z } from 'zod';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, text, timestamp, uint32 } from '../scalars.ts';

/** Actions on the nodes of the cluster. */
export const clusterActions = {
  cluster_GetClusterDetails: pagedQuery({
    doc: 'Lists the nodes of the cluster that hold a lease, with their uptime; for administrators also with their version, their connections, and whether they reach NATS.',
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
        }),
      ),
    }),
  }),
} as const;
