import { z } from 'zod';
import { command, query } from '../define.ts';
import { historyRange, historySteps, seenBytes, seenFigures } from '../history-shapes.ts';
import { ids } from '../ids.ts';
import { empty, json, jsonMap, text, uint32, uint64 } from '../scalars.ts';

const instanceCounts = { users: uint32, projects: uint32, devices: uint32 };

/** Actions on the instance. */
export const instanceActions = {
  instance_GetInstanceStatistics: query({
    doc: 'Counts the users, projects and devices of the instance, and those of the last seven days, and the bytes of what it stores; administrators only.',
    reads: ['users', 'projects', 'devices'],
    input: empty,
    output: z.object({
      ...instanceCounts,
      connectedDevices: uint32.optional(),
      /** The number of assets whose stored bytes are missing or damaged, with up to five repositories that have most of them; absent for none. */
      damagedAssets: z
        .object({
          count: uint32,
          repositories: z.array(z.object({ repositoryId: ids.repository.schema, name: text, count: uint32 })),
        })
        .optional(),
      /** A release that is newer than that of a node; absent unless the operator has the hub look for one. */
      newerRelease: z.object({ version: text, notes: text }).optional(),
      /** Bytes of all assets, and of what the database keeps: events of devices, the audit log, and all else. */
      storage: z.object({ assets: uint64, events: uint64, auditLog: uint64, otherRows: uint64 }).optional(),
      /** The last seven days in UTC as far as they were recorded, oldest first; today as of now. */
      days: z.array(z.object({ day: text, ...instanceCounts, connectedDevices: uint32 })).optional(),
    }),
  }),
  instance_QueryHistory: query({
    doc: 'Returns how many devices of all projects were connected, their events by severity, what the instance had, and the load of its nodes, over a day, a week, 30 days or a year; administrators only.',
    reads: [],
    input: z.object({ range: historyRange }),
    output: z.object({
      ...historySteps,
      users: seenFigures,
      projects: seenFigures,
      /** Bytes of all assets. */
      storedBytes: seenBytes,
      /** By name: a node that starts again goes on with its line. */
      nodes: z.array(
        z.object({
          name: text,
          connections: seenFigures,
          /** Of the process of the hub. */
          memoryBytes: seenBytes,
          /** The average number of running and waiting threads of the machine within a minute. */
          load: z.array(z.number().min(0).nullable()),
        }),
      ),
    }),
  }),
  instance_GetInstanceSettingsRaw: query({
    doc: 'Returns the settings of the instance in effect, without secrets; administrators by session only.',
    reads: ['settings'],
    input: empty,
    output: z.object({
      settings: jsonMap,
      /** The same settings, with what a form needs. */
      details: z
        .array(
          z.object({
            key: text,
            /** What it is called in sentences. */
            label: text,
            doc: text,
            /** In effect; of a secret only what may be shown of it. */
            value: json,
            /** In effect where nothing is set. */
            default: json,
            /** Whether it was set by an administrator. */
            isSet: z.boolean(),
            isSecret: z.boolean(),
            /** The variable, option or key of the configuration that sets it; it cannot be changed by an action then. */
            configuredBy: text.optional(),
          }),
        )
        .optional(),
    }),
  }),
  instance_SetInstanceSettingRaw: command({
    doc: 'Changes one setting of the instance, on every node within five seconds, null to its default; administrators by session only.',
    input: z.object({ key: text, value: json }),
    output: empty,
  }),
  instance_SendTestMail: command({
    doc: 'Sends an e-mail to the caller with the present mail settings and returns how that ended; administrators by session only.',
    input: empty,
    output: z.object({ isSent: z.boolean(), message: text }),
  }),
} as const;
