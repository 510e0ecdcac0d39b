import { z } from 'zod';
import { query } from '../define.ts';
import { historyRange, historySteps, seenFigures } from '../history-shapes.ts';
import { ids } from '../ids.ts';
import { maxDots } from '../max-dots.ts';
import { searchText, text, textUpTo, timestamp, uint32, uint64 } from '../scalars.ts';

const labelName = searchText.optional().meta({
  description: 'The label by which the devices are grouped; `site` unless given, and none if empty.',
});

/** Devices of each state; one that is not connected and has a pending certificate is waiting, and not disconnected. */
const deviceCounts = { devices: uint32, connected: uint32, disconnected: uint32, waiting: uint32 };

/** Base64 of two bits a device. */
const maxDotCharacters = 4 * Math.ceil(maxDots / 12);

/** Actions on what the overview of a project shows. */
export const projectOverviewActions = {
  projects_GetOverview: query({
    doc: 'Returns how the fleet of a project is now: counts, the state of each device in groups by a key of the metadata, what needs a person, and which versions the devices report.',
    // Not connections, which change all the time: whoever looks asks again.
    reads: ['projects', 'devices', 'certificates', 'terminals'],
    input: z.object({ projectId: ids.project.schema, groupBy: labelName }),
    output: z.object({
      at: timestamp,
      groupBy: text,
      counts: z.object(deviceCounts),
      /** Devices that are not connected, and were last connected longer than an hour ago: the filter `offline>1h`. */
      silent: uint32,
      /** The largest first, at most 40; then one of all others, and one of the devices that have no value. */
      groups: z.array(
        z.object({
          /** The text, number or truth value that the devices have; absent in the two last. */
          value: text.optional(),
          /** Whether it is the group of all other values, also of lists. */
          isOthers: z.boolean().optional(),
          ...deviceCounts,
        }),
      ),
      /** Base64; two bits a device, the first device in the lowest bits of the first byte: 0 disconnected, 1 connected, 2 waiting. In the order of the groups, in the named ones by when they became known. Empty above 20,000 devices. */
      dots: textUpTo(maxDotCharacters),
      /** What a person should look at, the most urgent first. */
      needs: z.array(
        z.object({
          /**
           * WaitingTerminals: terminals that somebody else asks for and that the caller may approve. PendingCertificates: devices with a certificate that waits for a decision. EndingCertificates: devices with a certificate that ends soon or has ended, while the project demands issued ones.
           * EndingAuthorities: certificate authorities that end within 60 days or have ended. FailedRotations: rotations of certificates that `isUnresolved` finds.
           * EventQuota: devices that have sent nine tenths of the events that they may send today.
           * DeviceQuota: the project has nine tenths of the devices that it may have. SilentDevices: devices that are silent for longer than usual, the filter `silent`. ExpiringTokens: tokens of the caller that end within a week.
           */
          kind: z.enum([
            'WaitingTerminals',
            'PendingCertificates',
            'EndingCertificates',
            'EndingAuthorities',
            'FailedRotations',
            'EventQuota',
            'DeviceQuota',
            'SilentDevices',
            'ExpiringTokens',
          ]),
          count: uint32,
          /** The quota; only with DeviceQuota. */
          max: uint64.optional(),
          /** Since when the longest waits or is silent. */
          since: timestamp.optional(),
          /** The filter that finds the devices; only with EndingCertificates. */
          filter: text.optional(),
          /** When the first of them ends. */
          until: timestamp.optional(),
          /** Up to three of them: devices, also those of terminals, by name, host name or id, tokens and authorities by name. */
          names: z.array(text),
        }),
      ),
      /** What devices report in fields that are versions, the most frequent values first, at most 20 of each. A project of thousands has them some minutes after it was first looked at. */
      versions: z.array(
        z.object({
          /** The field, as filters name it. */
          field: text,
          values: z.array(z.object({ value: text, devices: uint32 })),
          /** The devices with further values. */
          others: uint32,
        }),
      ),
      /** The labels by which several devices belong together. */
      labels: z.array(text),
    }),
  }),
  projects_FindOverviewDevice: query({
    doc: "Returns the device of one of the dots of a project's overview, counted from 0; refused where there are fewer by now.",
    reads: ['devices', 'certificates', 'connections'],
    input: z.object({ projectId: ids.project.schema, groupBy: labelName, index: uint32 }),
    output: z.object({
      deviceId: ids.device.schema,
      name: text.optional(),
      /** As reported by the device. */
      hostname: text.optional(),
      state: z.enum(['Disconnected', 'Connected', 'Waiting']),
      /** Since when it is connected, or when it was last; absent if it never was. */
      since: timestamp.optional(),
    }),
  }),
  projects_QueryHistory: query({
    doc: 'Returns how many devices of a project were connected, and its events by severity, over a day, a week, 30 days or a year.',
    reads: [],
    input: z.object({ projectId: ids.project.schema, range: historyRange }),
    output: z.object(historySteps),
  }),
  projects_QueryVersionHistory: query({
    doc: 'Returns how many devices of a project reported which version over a day, a week, 30 days or a year.',
    reads: [],
    input: z.object({ projectId: ids.project.schema, range: historyRange }),
    output: z.object({
      /** When the first step begins. */
      from: timestamp,
      /** An hour, six hours of 30 days, or a day in UTC of a year. */
      stepSeconds: uint32,
      /** The fields that are versions, as the overview has them. The n-th number is of the n-th step, as last seen in it; null where nobody looked. */
      fields: z.array(
        z.object({
          /** As filters name it. */
          field: text,
          /** At most eight, those that the most devices had at any time. */
          values: z.array(z.object({ value: text, devices: seenFigures })),
          /** The devices with further values. */
          others: seenFigures,
        }),
      ),
    }),
  }),
} as const;
