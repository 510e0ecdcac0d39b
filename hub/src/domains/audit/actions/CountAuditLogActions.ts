import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';
import { countUnsuccessful } from '../sql/audit-log.ts';

/** Counts the commands without success by their outcome, for administrators. */
export const CountAuditLogActions: Handler<'audit_CountAuditLogActions'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx }) {
    const { Pending, Failed, Rejected, Panicked } = await countUnsuccessful(tx);
    return { pending: Pending, failed: Failed, rejected: Rejected, panicked: Panicked };
  },
};
