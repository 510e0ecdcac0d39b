import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeAdministrator } from '../../policy/actors.ts';
import { readEvents } from '../../store/audit-log.ts';

/** Lists what happened in the instance, for administrators. */
export const QueryAuditLogEvents: Handler<'audit_QueryAuditLogEvents'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input }) {
    const page = { limit: input.limit, before: input.before && ids.auditEvent.raw(input.before) };
    return { events: await readEvents(tx, page) };
  },
};
