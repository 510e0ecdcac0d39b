import { z } from 'zod';
import { command } from '../define.ts';
import { empty, text, timestamp } from '../scalars.ts';

const mailFields = { mailId: text, to: text, queuedAt: timestamp };

/** Actions of the mail dispatcher. */
export const mailActions = {
  mail_TakeDueMail: command({
    doc: 'Leases the next due e-mail to the mail dispatcher for two minutes; internal.',
    input: empty,
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('None') }),
      z.object({
        result: z.literal('Taken'),
        mail: z.discriminatedUnion('kind', [
          z.object({
            ...mailFields,
            kind: z.literal('Activation'),
            activationToken: text,
            expiresAt: timestamp,
          }),
          z.object({
            ...mailFields,
            kind: z.literal('Invitation'),
            invitedTo: z.enum(['Project', 'Repository']),
            link: text,
            expiresAt: timestamp,
          }),
          z.object({
            ...mailFields,
            kind: z.literal('PasswordLink'),
            linkToken: text,
            expiresAt: timestamp,
          }),
          z.object({ ...mailFields, kind: z.literal('AddressTaken') }),
          z.object({ ...mailFields, kind: z.literal('PasswordChanged') }),
          z.object({
            ...mailFields,
            kind: z.literal('TokenExpiring'),
            tokenCreatedAt: timestamp,
            expiresAt: timestamp,
          }),
        ]),
      }),
    ]),
    audit: 'none',
  }),
  mail_ReportMailOutcome: command({
    doc: 'Reports the outcome of sending an e-mail and returns the time of the next attempt, if any; internal.',
    input: z.object({ mailId: text, outcome: z.enum(['Sent', 'Failed', 'Refused', 'NotMailed']) }),
    output: z.object({ nextAttemptAt: timestamp.optional() }),
    audit: 'none',
  }),
} as const;
