import { z } from 'zod';
import { command, query } from '../define.ts';
import { auditLogActionStatus } from '../enums.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, searchText, text, timestamp, uint32 } from '../scalars.ts';
import { actionPage, auditLogAction, auditLogEvent, logFilter, logPage } from '../shapes.ts';

/** Actions on the audit log of the instance. */
export const auditActions = {
  audit_QueryAuditLogEvents: pagedQuery({
    doc: 'Lists the audit events of the instance, newest first; administrators only.',
    reads: ['log'],
    input: z.object({
      ...logPage,
      ...logFilter,
      /** Only events of this type. */
      event: searchText.optional(),
      /** Only the events of this command. */
      actionId: ids.auditAction.schema.optional(),
    }),
    output: z.object({ events: z.array(auditLogEvent) }),
  }),
  audit_QueryAuditLogActions: pagedQuery({
    doc: 'Lists the commands called in the instance with their outcome, newest first; administrators only.',
    reads: ['log'],
    input: z.object({
      ...actionPage,
      ...logFilter,
      /** Only calls of this command. */
      action: searchText.optional(),
      /** Only commands with this outcome. */
      status: auditLogActionStatus.optional(),
    }),
    output: z.object({ actions: z.array(auditLogAction) }),
  }),
  audit_VerifyLog: command({
    doc: 'Starts a check of the audit log against its seals, unless one is running; administrators only.',
    input: empty,
    output: empty,
  }),
  audit_GetSealState: query({
    doc: 'Returns the state of the seals of the audit log and of the last check; administrators only.',
    reads: ['log'],
    input: empty,
    output: z.object({
      seals: uint32,
      sealedAt: timestamp.optional(),
      /** The key that signs the seals (Ed25519), in base64. */
      publicKey: text.optional(),
      check: z
        .object({
          requestedAt: timestamp,
          /** How many seals there were at its start, and how many are checked. */
          seals: uint32,
          checkedSeals: uint32,
          checkedRows: uint32,
          finishedAt: timestamp.optional(),
          /** Whether everything fits; present once the check has finished. */
          isIntact: z.boolean().optional(),
          /** The result in one sentence, which names the first row that does not fit. */
          sentence: text.optional(),
        })
        .optional(),
    }),
  }),
  audit_CountAuditLogActions: query({
    doc: 'Counts the commands without success in the log of the instance by their outcome, each up to 1000; administrators only.',
    reads: ['log'],
    input: empty,
    output: z.object({ pending: uint32, failed: uint32, rejected: uint32, panicked: uint32 }),
  }),
} as const;
