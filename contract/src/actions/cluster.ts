import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, text, timestamp, uint32 } from '../scalars.ts';

/** The actions of the nodes of the cluster. */
export const clusterActions = {
  cluster_GetClusterDetails: pagedQuery({
    doc: 'Lists the live nodes of the cluster with their uptime.',
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
        }),
      ),
    }),
  }),
  cluster_RegisterClusterNode: command({
    doc: "Admits a starting node to the cluster and gives it its id; part of the hub's upkeep.",
    input: z.object({
      name: text.optional(),
      /** The database belongs to this node alone: whatever node it had before is dead, and its lease ends now. */
      isAlone: z.boolean().optional(),
      /** Refused as NotReady while another node holds its lease. */
      mustBeOnly: z.boolean().optional(),
    }),
    output: z.object({ nodeId: ids.clusterNode.schema }),
  }),
  cluster_ReportClusterNodeHeartbeat: command({
    doc: 'Prolongs the lease of the calling node, or gives it back when the node leaves.',
    input: z.object({
      /** The node stops: its lease ends now, and whatever it left open counts as over. */
      isLeaving: z.boolean().optional(),
    }),
    output: empty,
    audit: 'none',
  }),
  cluster_CleanupInactiveClusterNodes: command({
    doc: 'Removes nodes whose lease has run out and ends their connections.',
    input: empty,
    output: empty,
    audit: 'none',
  }),
  cluster_ReportUntrustedCertificateHeader: command({
    doc: "Puts into the audit log that a device certificate came in a header from an address that is not believed; for the hub's own doors.",
    input: z.object({
      remoteAddress: text,
      /** How many attempts the row stands for: this one, and those before it that got no row of their own. */
      attempts: uint32,
    }),
    output: empty,
  }),
} as const;
