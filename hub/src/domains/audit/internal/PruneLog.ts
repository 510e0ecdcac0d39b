import type { CallContext, Internal } from '../../../calls/handler.ts';
import { settingsOfRecentNodes } from '../../instance/index.ts';
import { pruneAuditLog } from '../sql/audit-log-pruning.ts';

/** What was removed; `start` is the signed statement of where the log begins now. */
interface Pruned {
  readonly isComplete: boolean;
  readonly rows: number;
  readonly start?: { readonly statement: string; readonly signature: string };
}

/** Removes a portion of the rows that are older than any node of the last hour keeps them, and returns where the log begins now, for the log of the hub. */
export const PruneLog: Internal<{ retentionMonths: number }, Pruned> = {
  name: 'audit_PruneLog',
  async run(context) {
    const before = keptFrom(context.now, await longestRetention(context));
    const { rows, statement: signed, isComplete } = await pruneAuditLog(context, before);
    if (signed === undefined) return { isComplete, rows };
    context.emit('audit_RecordCut', { rows });
    return {
      isComplete,
      rows,
      start: { statement: signed.statement, signature: signed.signature.toString('base64') },
    };
  },
};

/** The database function that removes rows refuses what is younger than 30 days by the clock of the database; a day more is for the difference from this one. */
const minKeptMs = 31 * 24 * 3_600_000;

/** So many months earlier (UTC), on the last day of that month if it has no such day; always early enough for that function. */
function keptFrom(now: Date, months: number): Date {
  const from = new Date(now);
  from.setUTCMonth(now.getUTCMonth() - months, 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 0)).getUTCDate();
  from.setUTCDate(Math.min(now.getUTCDate(), lastDay));
  return new Date(Math.min(from.getTime(), now.getTime() - minKeptMs));
}

/** The longest of the nodes of the last hour and the calling one: a node whose configuration lacks the setting must not remove what another one keeps. */
async function longestRetention({
  tx,
  now,
  input,
}: CallContext<{ retentionMonths: number }>): Promise<number> {
  const recent = await settingsOfRecentNodes(tx, now);
  return Math.max(input.retentionMonths, ...recent.map((node) => node.auditRetentionMonths ?? 0));
}
