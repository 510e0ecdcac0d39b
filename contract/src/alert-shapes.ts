import { z } from 'zod';
import { deviceEventSeverity } from './enums.ts';
import { ids } from './ids.ts';
import { maintenanceWindow } from './maintenance-window.ts';
import { filterText } from './paging.ts';
import { listOf, uint32 } from './scalars.ts';

const daySecs = 86_400;
const maxMailedUsers = 50;
const maxAlertWebhooks = 10;

/** For how long something has to be so, in seconds. */
const forSecs = z
  .int()
  .min(0)
  .max(30 * daySecs);
const percent = z.int().min(1).max(100);

/** What an alert rule looks for. Rules of a project have any but Hub, those of the instance Hub alone. */
export const alertCondition = z.discriminatedUnion('kind', [
  /** Each device that is away for so long. Time in which no hub could see it does not count. */
  z.object({ kind: z.literal('Offline'), filter: filterText.optional(), forSecs }),
  /** A share of the devices is away for so long: one alert for all. */
  z.object({ kind: z.literal('Missing'), filter: filterText.optional(), percent, forSecs }),
  /** Each device that a filter finds for so long. */
  z.object({ kind: z.literal('Matching'), filter: filterText, forSecs }),
  /** Each device that sends an event of this severity or above. */
  z.object({ kind: z.literal('Events'), severity: deviceEventSeverity, filter: filterText.optional() }),
  /** Each operation or install of several devices that the hub pauses because devices fail, or in which this share of them failed. */
  z.object({ kind: z.literal('Operations'), percent }),
  /** A quota of the project that is used up to this share. */
  z.object({ kind: z.literal('Quota'), percent }),
  /** What administrators should know of the hub: a disk that is used up to this share, jobs or e-mails that fail, and nodes that are away. */
  z.object({ kind: z.literal('Hub'), percent }),
]);

/** See `alertCondition`. */
export type AlertCondition = z.infer<typeof alertCondition>;

/** How soon people should look: messages of critical rules do not wait for the end of quiet hours. */
export const alertSeverity = z.enum(['Info', 'Warning', 'Critical']);

/** See `alertSeverity`. */
export type AlertSeverity = z.infer<typeof alertSeverity>;

/** Whom a rule tells. */
export const alertChannels = z.object({
  /** E-mails to the owners, to all members, or to some of them; of a rule of the instance to its administrators. */
  mails: z.enum(['None', 'Owners', 'Members', 'Some']),
  /** Of Some. Who is no member any more gets none. */
  userIds: listOf(ids.user.schema, maxMailedUsers).optional(),
  /** Webhooks of the project. */
  webhookIds: listOf(ids.webhook.schema, maxAlertWebhooks).optional(),
});

/** See `alertChannels`. */
export type AlertChannels = z.infer<typeof alertChannels>;

/** What is given of an alert rule beside its name and condition. */
export const alertOptions = {
  severity: alertSeverity,
  channels: alertChannels,
  /** After how many seconds a firing alert that nobody acknowledged is told again. */
  remindSecs: z
    .int()
    .min(3600)
    .max(30 * daySecs)
    .optional(),
  /** Hours of each day in which nothing is told; what happens meanwhile is told at their end. Critical rules have none. */
  quietHours: maintenanceWindow.optional(),
};

/** Firing: it is so, and nobody has acknowledged it. */
export const alertState = z.enum(['Pending', 'Firing', 'Acknowledged', 'Resolved']);

/** See `alertState`. */
export type AlertState = z.infer<typeof alertState>;

/** Why an alert has ended. */
export const alertEnd = z.enum(['Recovered', 'SubjectDeleted', 'RuleChanged']);

/** See `alertEnd`. */
export type AlertEnd = z.infer<typeof alertEnd>;

/** A count, up to a limit. */
export const alertCounts = z.object({ pending: uint32, firing: uint32, acknowledged: uint32 });
