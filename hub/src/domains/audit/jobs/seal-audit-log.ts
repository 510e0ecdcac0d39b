import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import type { ScheduledJob } from '../../../platform/jobs/start-jobs.ts';
import type { LogFields } from '../../../platform/log/log-fields.ts';
import { PruneLog } from '../internal/PruneLog.ts';
import { SealLog } from '../internal/SealLog.ts';

interface SealParts {
  readonly executor: Executor;
  readonly log: { info(fields: LogFields, message: string): void };
}
const hourSecs = 3600;

/** Seals all rows of the audit log that are final, in seals of limited size. Each seal is logged, so that a copy leaves the database. */
export async function sealAuditLog({ executor, log }: SealParts, ending?: AbortSignal): Promise<void> {
  for (let isComplete = false; !isComplete && ending?.aborted !== true;) {
    const done = await executor.run(systemCaller, SealLog);
    isComplete = done.isComplete;
    if (done.seal !== undefined) log.info(done.seal, 'sealed the audit log');
  }
}

/** Removes the rows that are older than the retention, portion by portion. Each removal is logged, so that a copy of its statement leaves the database. */
export async function pruneAuditLog(
  { executor, log }: SealParts,
  retentionMonths: number,
  ending?: AbortSignal,
): Promise<void> {
  for (let isComplete = false; !isComplete && ending?.aborted !== true;) {
    const done = await executor.run(systemCaller, PruneLog, { retentionMonths });
    isComplete = done.isComplete;
    if (done.start !== undefined) log.info(done.start, 'removed the oldest rows of the audit log');
  }
}

/** Seals the audit log every minute, and removes its oldest rows once a day. */
export function sealJobs(parts: SealParts, retentionMonths: number): ScheduledJob[] {
  return [
    {
      name: 'seal-audit-log',
      cron: '* * * * *',
      run: (ending) => sealAuditLog(parts, ending),
      keepSecs: hourSecs,
    },
    {
      name: 'prune-audit-log',
      cron: '42 3 * * *',
      run: (ending) => pruneAuditLog(parts, retentionMonths, ending),
      longestSecs: 20 * hourSecs,
    },
  ];
}
