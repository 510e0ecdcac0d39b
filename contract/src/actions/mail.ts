import { z } from 'zod';
import { command } from '../define.ts';
import { empty, text, timestamp } from '../scalars.ts';

const mailFields = { mailId: text, to: text, queuedAt: timestamp };

/** The actions of the hub's own courier, who brings e-mails out. */
export const mailActions = {
  mail_TakeDueMail: command({
    doc: "Takes the next e-mail that is due, to be sent within two minutes; for the hub's own courier.",
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
          z.object({ ...mailFields, kind: z.literal('AddressTaken') }),
          z.object({ ...mailFields, kind: z.literal('PasswordChanged') }),
        ]),
      }),
    ]),
    audit: 'none',
  }),
  mail_ReportMailOutcome: command({
    doc: 'Tells how sending an e-mail went; one that failed is tried again later, until it is given up and the answer names no next attempt.',
    input: z.object({ mailId: text, outcome: z.enum(['Sent', 'Failed', 'Refused']) }),
    output: z.object({ nextAttemptAt: timestamp.optional() }),
    audit: 'none',
  }),
} as const;
