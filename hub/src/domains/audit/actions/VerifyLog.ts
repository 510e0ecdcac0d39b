import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';
import { requestAuditLogCheck } from '../sql/audit-log-checks.ts';

/** Starts a check of the audit log. A job on one of the nodes does the work. */
export const VerifyLog: Handler<'audit_VerifyLog'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, now, emit }) {
    await requestAuditLogCheck(tx, now);
    emit('audit_LogCheckRequested', {});
    return {};
  },
};
