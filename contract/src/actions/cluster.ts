import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, text, timestamp, uint32 } from '../scalars.ts';

const retention = z.int().min(1).max(1200).optional();

const nodeSettings = z.object({
  eventRetentionMonths: retention,
  auditRetentionMonths: retention,
  registration: text.optional(),
  publicUrl: text.optional(),
});

/** What the configuration of a node sets of the settings that all nodes of a cluster should have alike; what is not set there is absent. */
export type NodeSettings = z.infer<typeof nodeSettings>;

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
  cluster_RegisterClusterNode: command({
    doc: 'Registers a starting node in the cluster and returns its id; internal.',
    input: z.object({
      name: text.optional(),
      version: text.optional(),
      /** Only this node uses the database: any other registered node is dead, and its lease ends now. */
      isAlone: z.boolean().optional(),
      /** Refused as NotReady while another node holds its lease, unless both are nodes of a cluster, which have a `peer`. */
      mustBeOnly: z.boolean().optional(),
      /** Where the other nodes reach it: its host and port for them, and the name in its certificate. */
      peer: z.object({ name: text, address: text }).optional(),
      /** What its configuration sets of what all nodes should have alike. */
      settings: nodeSettings.optional(),
    }),
    output: z.object({ nodeId: ids.clusterNode.schema }),
  }),
  cluster_ReportClusterNodeHeartbeat: command({
    doc: 'Extends the lease of the calling node, or ends it when the node leaves; internal.',
    input: z.object({
      /** The node stops: its lease and its connections end now. */
      isLeaving: z.boolean().optional(),
      /** Whether the node reaches NATS; absent where it uses none. */
      isBusConnected: z.boolean().optional(),
    }),
    output: empty,
    audit: 'none',
  }),
  cluster_CleanupInactiveClusterNodes: command({
    doc: 'Removes nodes whose lease has expired and ends some thousands of their connections; internal.',
    input: empty,
    output: z.object({
      /** Whether it has to be called again. */
      hasMore: z.boolean(),
    }),
    audit: 'none',
  }),
  cluster_ReportAnonymousRefusals: command({
    doc: 'Records how many more calls without a session or token were refused to an address within a minute; internal.',
    input: z.object({
      remoteAddress: text,
      attempts: uint32,
    }),
    output: empty,
  }),
  cluster_ReportUntrustedCertificateHeader: command({
    doc: 'Records that a device certificate was sent in a header from an untrusted address; internal.',
    input: z.object({
      remoteAddress: text,
      /** The number of attempts that this row stands for, this one included. */
      attempts: uint32,
    }),
    output: empty,
  }),
} as const;
