import { z } from 'zod';
import { text, timestamp, uint32 } from './scalars.ts';

/** What a message names of one alert. */
const namedAlert = z.object({
  alertId: text,
  /** The name of what it is about, as it was when the alert began. */
  subject: text,
  deviceId: text.optional(),
  fleetOperationId: text.optional(),
  since: timestamp,
  /** Of one that has ended: why, and when. */
  end: text.optional(),
  endedAt: timestamp.optional(),
});

/** What a message of an alert rule says: what fires and what has ended since the last one. */
export const alertMessage = z.object({
  /** Absent for rules of the instance. */
  projectId: text.optional(),
  projectName: text.optional(),
  ruleId: text,
  ruleName: text,
  severity: z.enum(['Info', 'Warning', 'Critical']),
  kind: text,
  /** How many began to fire. */
  count: uint32,
  /** How many have ended. */
  resolvedCount: uint32,
  /** How many of the rule fire now, those that were told before included. */
  firing: uint32,
  /** The first ten. */
  fired: z.array(namedAlert),
  /** The first ten. */
  resolved: z.array(namedAlert),
  /** How many come and go. */
  unstable: uint32,
  at: timestamp,
  /** The list of alerts in the console. */
  url: text,
});

/** See `alertMessage`. */
export type AlertMessage = z.infer<typeof alertMessage>;
