import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';
import { readEvents } from '../sql/audit-log.ts';

/** Lists the audit events of the instance, for administrators. */
export const QueryAuditLogEvents: Handler<'audit_QueryAuditLogEvents'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input, now }) {
    const request = {
      ...input,
      before: input.before && ids.auditEvent.raw(input.before),
      action: input.actionId && ids.auditAction.raw(input.actionId),
    };
    const { items, more } = await readEvents(tx, request, now);
    return { events: items, ...more };
  },
};
