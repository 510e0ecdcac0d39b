import { z } from 'zod';
import {
  alertChannels,
  alertCondition,
  alertCounts,
  alertEnd,
  alertOptions,
  alertSeverity,
  alertState,
} from '../alert-shapes.ts';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { maintenanceWindow } from '../maintenance-window.ts';
import { filterText, pagedQuery } from '../paging.ts';
import { empty, nameText, someOf, text, textUpTo, timestamp, uint32 } from '../scalars.ts';
import { actor } from '../shapes.ts';

const ruleId = ids.alertRule.schema;
/** Without a project: the rules of the instance, for its administrators. */
const place = { projectId: ids.project.schema.optional() };
const maxAcknowledged = 500;

/** Alerts: rules say what is looked for, alerts are what was found and told. */
export const alertsActions = {
  alerts_QueryRules: pagedQuery({
    doc: 'Lists the alert rules of a project or of the instance, ordered by name.',
    reads: ['alerts'],
    input: z.object(place),
    output: z.object({
      rules: z.array(
        z.object({
          ruleId,
          name: text,
          condition: alertCondition,
          severity: alertSeverity,
          channels: alertChannels,
          remindSecs: uint32.optional(),
          quietHours: maintenanceWindow.optional(),
          isEnabled: z.boolean(),
          createdBy: actor,
          createdAt: timestamp,
          /** What it finds now. */
          counts: alertCounts,
          /** Until when it is muted as a whole. */
          mutedUntil: timestamp.optional(),
          /** When it last told something. */
          toldAt: timestamp.optional(),
          /** Why it cannot look: its filter names what is no more. */
          problem: text.optional(),
          /** Whether the caller has asked for no e-mails of it. */
          isUnsubscribed: z.boolean(),
        }),
      ),
    }),
  }),
  alerts_CreateRule: command({
    doc: 'Creates an alert rule of a project for its owners, or of the instance for administrators.',
    input: z.object({ ...place, name: nameText, condition: alertCondition, ...alertOptions }),
    output: z.object({ ruleId }),
  }),
  alerts_ChangeRule: command({
    doc: 'Replaces what is given of an alert rule; with another condition its alerts end and it looks anew.',
    input: z.object({
      ruleId,
      name: nameText,
      condition: alertCondition,
      ...alertOptions,
      isEnabled: z.boolean(),
    }),
    output: empty,
  }),
  alerts_DeleteRule: command({
    doc: 'Deletes an alert rule with its alerts.',
    input: z.object({ ruleId }),
    output: empty,
  }),
  alerts_PreviewRule: query({
    doc: 'Says what a condition finds now, and for devices that are offline how often it would have told in the last 30 days.',
    reads: ['devices', 'connections', 'events', 'operations'],
    input: z.object({ ...place, condition: alertCondition }),
    output: z.object({
      /** What would fire now. */
      count: uint32,
      /** The names of the first ten. */
      names: z.array(text),
      /** Of Offline: alerts of each of the last 30 days of UTC, the oldest first; of many devices estimated by 2,000 of them. */
      days: z.array(uint32).optional(),
    }),
  }),
  alerts_TestRule: command({
    doc: 'Sends a message by each channel of an alert rule, marked as a test, and says to whom.',
    input: z.object({ ruleId }),
    output: z.object({
      /** How many people get an e-mail. */
      mails: uint32,
      messages: z.array(z.object({ webhookId: ids.webhook.schema, messageId: ids.webhookMessage.schema })),
    }),
  }),
  alerts_SetRuleMails: command({
    doc: 'Says whether the caller gets e-mails of an alert rule whose channels include the caller.',
    input: z.object({ ruleId, isOn: z.boolean() }),
    output: empty,
  }),
  alerts_QueryAlerts: pagedQuery({
    doc: 'Lists alerts of a project or of the instance of the last 30 days: those that have not ended first, the most severe before others, then the newest.',
    reads: ['alerts'],
    input: z.object({
      ...place,
      /** Of all that the caller sees, instead of a project or the instance. */
      all: z.boolean().optional(),
      states: someOf(alertState, 4).optional(),
      severity: alertSeverity.optional(),
      ruleId: ruleId.optional(),
      deviceId: ids.device.schema.optional(),
      /** Only those that fired at this time or later. */
      firedFrom: timestamp.optional(),
      /** Only those that fired before this time. */
      firedBefore: timestamp.optional(),
    }),
    output: z.object({
      alerts: z.array(
        z.object({
          alertId: ids.alert.schema,
          /** Absent for alerts of the instance. */
          projectId: ids.project.schema.optional(),
          projectName: text.optional(),
          ruleId,
          ruleName: text,
          severity: alertSeverity,
          state: alertState,
          /** What it is about, by the name of when it began. */
          subject: text,
          deviceId: ids.device.schema.optional(),
          fleetOperationId: ids.fleetOperation.schema.optional(),
          /** Since when it is so; for devices that are offline, when they left. */
          since: timestamp,
          firedAt: timestamp.optional(),
          acknowledgedBy: actor.optional(),
          acknowledgedAt: timestamp.optional(),
          endedAt: timestamp.optional(),
          end: alertEnd.optional(),
          /** How often it came back within ten minutes. */
          flaps: uint32,
          isMuted: z.boolean(),
          /** Whether somebody was told that it fires. */
          isTold: z.boolean(),
        }),
      ),
    }),
  }),
  alerts_QueryAlertDays: query({
    doc: 'Counts the alerts of a project or of the instance by the day of UTC on which they fired, for the last 30 days.',
    reads: ['alerts'],
    input: z.object({ ...place, ruleId: ruleId.optional() }),
    output: z.object({
      /** When the first of the days begins; the last one is today. */
      from: timestamp,
      days: z.array(z.object({ info: uint32, warning: uint32, critical: uint32 })),
    }),
  }),
  alerts_CountAlerts: query({
    doc: 'Counts the alerts of a project, of the instance, or of all that the caller sees, up to 1,000 of each state.',
    reads: ['alerts'],
    input: z.object({ ...place, all: z.boolean().optional() }),
    output: alertCounts,
  }),
  alerts_Acknowledge: command({
    doc: 'Acknowledges alerts that fire: no reminders are sent, and others see who looks.',
    input: z.object({
      /** Exactly one of these. */
      alertIds: someOf(ids.alert.schema, maxAcknowledged).optional(),
      /** All that fire in a project or in the instance, or those of them that match. */
      matching: z
        .object({
          ...place,
          severity: alertSeverity.optional(),
          ruleId: ruleId.optional(),
          deviceId: ids.device.schema.optional(),
        })
        .optional(),
    }),
    output: z.object({
      /** Fewer where some have ended or were acknowledged before. */
      acknowledged: uint32,
    }),
  }),
  alerts_QueryMutes: pagedQuery({
    doc: 'Lists what is muted in a project or in the instance, the newest first, without what has ended.',
    reads: ['alerts'],
    input: z.object(place),
    output: z.object({
      mutes: z.array(
        z.object({
          muteId: ids.alertMute.schema,
          ruleId: ruleId.optional(),
          ruleName: text.optional(),
          deviceId: ids.device.schema.optional(),
          deviceName: text.optional(),
          filter: text.optional(),
          until: timestamp.optional(),
          window: maintenanceWindow.optional(),
          reason: text.optional(),
          createdBy: actor,
          createdAt: timestamp,
        }),
      ),
    }),
  }),
  alerts_Mute: command({
    doc: 'Keeps alerts from being told: of a rule, of a device, of the devices that a filter finds, or all; until a time, or in a window of each day.',
    input: z.object({
      ...place,
      ruleId: ruleId.optional(),
      deviceId: ids.device.schema.optional(),
      filter: filterText.optional(),
      /** Exactly one of these. */
      until: timestamp.optional(),
      window: maintenanceWindow.optional(),
      reason: textUpTo(500).optional(),
    }),
    output: z.object({ muteId: ids.alertMute.schema }),
  }),
  alerts_Unmute: command({
    doc: 'Ends a mute: what still fires is told.',
    input: z.object({ muteId: ids.alertMute.schema }),
    output: empty,
  }),
} as const;
