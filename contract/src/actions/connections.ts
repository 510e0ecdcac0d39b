import { z } from 'zod';
import { command } from '../define.ts';
import { connectionEndReason } from '../enums.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, text, uint32 } from '../scalars.ts';
import { recentConnection } from '../shapes.ts';

/** Actions on the connections of devices and their history. */
export const connectionsActions = {
  devices_RegisterDeviceConnection: command({
    doc: 'Registers a connection of a device on a node that holds its lease; internal.',
    input: z.object({
      deviceId: ids.device.schema,
      nodeId: ids.clusterNode.schema,
      /** The credentials of the connection; it is refused if one of them was revoked meanwhile. */
      certificateId: ids.deviceCertificate.schema.optional(),
      tokenId: ids.deploymentTokenId.schema.optional(),
      /** Where it comes from. */
      address: text.optional(),
    }),
    output: z.object({ connectionId: ids.deviceConnection.schema }),
    audit: 'none',
  }),
  devices_UnregisterDeviceConnection: command({
    doc: 'Records the end of a connection; internal.',
    input: z.object({ connectionId: ids.deviceConnection.schema, endReason: connectionEndReason.optional() }),
    output: empty,
    audit: 'none',
  }),
  devices_QueryConnections: pagedQuery({
    doc: 'Lists the connections of a device, newest first, including ended ones unless activeOnly is set; of the ended ones the hub keeps the newest 50; a page has 100 by default and at most 1000.',
    reads: ['connections'],
    input: z.object({
      deviceId: ids.device.schema,
      activeOnly: z.boolean().optional(),
    }),
    output: z.object({
      /** `durationSecs` is until the end of the connection, or until now. */
      connections: z.array(recentConnection.extend({ durationSecs: uint32 })),
    }),
  }),
} as const;
