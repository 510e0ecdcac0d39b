import { z } from 'zod';
import { query } from '../define.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { json, text, timestamp, uint32 } from '../scalars.ts';
import { actor } from '../shapes.ts';
import { timelineKinds } from '../timeline-kinds.ts';

const kind = z.enum(timelineKinds);

/** Actions on what has happened to a device. */
export const timelineActions = {
  devices_QueryTimeline: pagedQuery({
    doc: 'Lists what has happened to a device, newest first: connections and their ends, refused connections, certificates, events, changes of properties for 90 days, operations, alerts, and what people did; a page has 50 entries by default and at most 500.',
    reads: ['devices', 'connections', 'certificates', 'events', 'properties', 'operations', 'alerts'],
    input: z.object({
      deviceId: ids.device.schema,
      /** All kinds without it. */
      kinds: z.array(kind).max(timelineKinds.length).optional(),
      /** Only what happened before. */
      before: timestamp.optional(),
    }),
    output: z.object({
      entries: z.array(
        z.object({
          entryId: text,
          at: timestamp,
          /** The last of several that one entry stands for. */
          until: timestamp.optional(),
          kind,
          title: text,
          detail: text.optional(),
          actor: actor.optional(),
          /** The id of what it is about. */
          link: text.optional(),
          data: json,
        }),
      ),
      /** Entries of each kind, counted up to 1,000; only on the first page. */
      counts: z.array(z.object({ kind, count: uint32 })).optional(),
    }),
  }),
  devices_GetPresence: query({
    doc: 'Returns whether a device is connected and, if it is not, why: the likeliest cause, the evidence that the hub recorded, and three checks.',
    reads: ['devices', 'connections', 'certificates', 'events'],
    input: z.object({ deviceId: ids.device.schema }),
    output: z.object({
      state: z.enum(['Connected', 'Disconnected']),
      /** When it connected, its connection ended, or it was made known. */
      since: timestamp,
      /** Of several that fit the first; `Unknown` where the hub recorded none. */
      cause: z
        .enum([
          'NeverSeen',
          'Refused',
          'Left',
          'HubWentAway',
          'ManyTogether',
          'Flapping',
          'Silent',
          'Unknown',
        ])
        .optional(),
      sentence: text,
      /** `Certain`: recorded; `Likely`: concluded. */
      confidence: z.enum(['Certain', 'Likely', 'Unknown']),
      evidence: z.array(z.object({ title: text, detail: text.optional(), at: timestamp.optional() })),
      checks: z.array(z.object({ title: text, detail: text, command: text })),
    }),
  }),
} as const;
