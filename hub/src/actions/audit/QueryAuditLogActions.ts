import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeAdministrator } from '../../policy/actors.ts';
import { readActions } from '../../store/audit-log.ts';

/** Lists the commands that were tried in the instance, for administrators. */
export const QueryAuditLogActions: Handler<'audit_QueryAuditLogActions'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input }) {
    const page = { limit: input.limit, before: input.before && ids.auditAction.raw(input.before) };
    return { actions: await readActions(tx, page) };
  },
};
