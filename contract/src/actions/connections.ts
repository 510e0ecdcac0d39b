import { z } from 'zod';
import { command } from '../define.ts';
import { connectionEndReason } from '../enums.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, uint32 } from '../scalars.ts';
import { recentConnection } from '../shapes.ts';

/** The actions of the connections of devices: their beginning, their end, their history. */
export const connectionsActions = {
  devices_RegisterDeviceConnection: command({
    doc: 'Records a live connection of a device on a node that holds its lease.',
    input: z.object({
      deviceId: ids.device.schema,
      nodeId: ids.clusterNode.schema,
      /** What the connection rests on; it is refused when one of them has been withdrawn meanwhile. */
      certificateId: ids.deviceCertificate.schema.optional(),
      tokenId: ids.deploymentTokenId.schema.optional(),
    }),
    output: z.object({ connectionId: ids.deviceConnection.schema }),
    audit: 'none',
  }),
  devices_UnregisterDeviceConnection: command({
    doc: 'Records the end of a connection.',
    input: z.object({ connectionId: ids.deviceConnection.schema, endReason: connectionEndReason.optional() }),
    output: empty,
    audit: 'none',
  }),
  devices_DeleteOldConnections: command({
    doc: "Deletes connections that ended more than 90 days ago, and all but the newest 1000 of a device; part of the hub's upkeep.",
    input: empty,
    output: empty,
    audit: 'none',
  }),
  devices_QueryConnections: pagedQuery({
    doc: 'Lists the connections of a device, ended ones among them unless only live ones are asked for, newest first; a page has 100 unless told and at most 1000.',
    reads: ['connections'],
    input: z.object({
      deviceId: ids.device.schema,
      activeOnly: z.boolean().optional(),
    }),
    output: z.object({
      /** How long each lasted until its end, or lasts by now, in whole seconds. */
      connections: z.array(recentConnection.extend({ durationSecs: uint32 })),
    }),
  }),
} as const;
