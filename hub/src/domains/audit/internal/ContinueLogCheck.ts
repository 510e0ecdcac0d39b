import type { Internal } from '../../../calls/handler.ts';
import { verdictMessage } from '../policy/audit-verdict.ts';
import { continueAuditLogCheck, finishAuditLogCheck } from '../sql/audit-log-checks.ts';

/** Checks the next seals of a running check, while the lock of its row keeps other nodes out. */
export const ContinueLogCheck: Internal<void, { isComplete: boolean }> = {
  name: 'audit_ContinueLogCheck',
  async run({ tx, now, vault }) {
    const portion = await continueAuditLogCheck({ tx, vault });
    if (portion === undefined) return { isComplete: true };
    const { isComplete, verdict } = portion;
    const result = { sentence: verdictMessage(verdict), isIntact: verdict.problem === undefined };
    if (isComplete) await finishAuditLogCheck(tx, now, result);
    return { isComplete };
  },
};
