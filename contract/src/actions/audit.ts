import { z } from 'zod';
import { query } from '../define.ts';
import { actionPage, auditLogAction, auditLogEvent, logPage } from '../shapes.ts';

/** The actions of the instance-wide audit log. */
export const auditActions = {
  audit_QueryAuditLogEvents: query({
    doc: 'Lists what happened in the instance, newest first; administrators only.',
    input: z.object(logPage),
    output: z.object({ events: z.array(auditLogEvent) }),
  }),
  audit_QueryAuditLogActions: query({
    doc: 'Lists the commands that were tried in the instance, newest first, with their outcome; administrators only.',
    input: z.object(actionPage),
    output: z.object({ actions: z.array(auditLogAction) }),
  }),
} as const;
