import { z } from 'zod';
import { pagedQuery } from '../paging.ts';
import { actionPage, auditLogAction, auditLogEvent, logPage } from '../shapes.ts';

/** Actions on the audit log of the instance. */
export const auditActions = {
  audit_QueryAuditLogEvents: pagedQuery({
    doc: 'Lists the audit events of the instance, newest first; administrators only.',
    reads: ['log'],
    input: z.object(logPage),
    output: z.object({ events: z.array(auditLogEvent) }),
  }),
  audit_QueryAuditLogActions: pagedQuery({
    doc: 'Lists the commands called in the instance with their outcome, newest first; administrators only.',
    reads: ['log'],
    input: z.object(actionPage),
    output: z.object({ actions: z.array(auditLogAction) }),
  }),
} as const;
