import { z } from 'zod';
import { pagedQuery } from '../paging.ts';
import { actionPage, auditLogAction, auditLogEvent, logPage } from '../shapes.ts';

/** The actions of the instance-wide audit log. */
export const auditActions = {
  audit_QueryAuditLogEvents: pagedQuery({
    doc: 'Lists what happened in the instance, newest first; administrators only.',
    reads: ['log'],
    input: z.object(logPage),
    output: z.object({ events: z.array(auditLogEvent) }),
  }),
  audit_QueryAuditLogActions: pagedQuery({
    doc: 'Lists the commands that were tried in the instance, newest first, with their outcome; administrators only.',
    reads: ['log'],
    input: z.object(actionPage),
    output: z.object({ actions: z.array(auditLogAction) }),
  }),
} as const;
