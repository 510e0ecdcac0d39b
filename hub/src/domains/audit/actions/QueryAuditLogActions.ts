import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';
import { readActions } from '../sql/audit-log.ts';

/** Lists the commands called in the instance, for administrators. */
export const QueryAuditLogActions: Handler<'audit_QueryAuditLogActions'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input, now }) {
    const request = { ...input, before: input.before && ids.auditAction.raw(input.before) };
    const { items, more } = await readActions(tx, request, now);
    return { actions: items, ...more };
  },
};
