import { z } from 'zod';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { uint32 } from '../scalars.ts';
import { recentConnection } from '../shapes.ts';

/** Actions on the connections of devices and their history. */
export const connectionsActions = {
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
