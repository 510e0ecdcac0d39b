import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import { coalesceRuns } from '../../../platform/concurrency/coalesce-runs.ts';
import type { EventBus } from '../../../platform/events/bus.ts';
import type { ScheduledJob } from '../../../platform/jobs/start-jobs.ts';
import type { LogFields } from '../../../platform/log/log-fields.ts';
import { ContinueLogCheck } from '../internal/ContinueLogCheck.ts';

interface CheckerParts {
  readonly executor: Executor;
  readonly bus: EventBus;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** Begins a check of the audit log as soon as it is requested. */
export interface AuditLogChecker {
  /** Stops after the current portion; the job of another node goes on. */
  stop(): Promise<void>;
}
const hourSecs = 3600;

/** Works on a requested check of the audit log until it is complete. */
export async function checkAuditLog(executor: Executor, isStopped = () => false): Promise<void> {
  for (let isComplete = false; !isComplete && !isStopped();)
    ({ isComplete } = await executor.run(systemCaller, ContinueLogCheck));
}

/** The job that continues a check whose node has stopped. */
export function checkJobs(executor: Executor): ScheduledJob[] {
  return [
    {
      name: 'check-audit-log',
      cron: '*/5 * * * *',
      run: (ending) => checkAuditLog(executor, () => ending.aborted),
      keepSecs: hourSecs,
    },
  ];
}

/** Starts the checker of this node. After a failure the job continues the check and reports why it fails. */
export function startAuditLogChecker({ executor, bus, log }: CheckerParts): AuditLogChecker {
  let isStopped = false;
  let current: Promise<void> = Promise.resolve();
  const run = coalesceRuns(async () => {
    await checkAuditLog(executor, () => isStopped).catch((error: unknown) =>
      log.warn({ err: error }, 'the audit log could not be checked; the job tries again'),
    );
  });
  const unsubscribe = bus.subscribeToOwn(({ name }) => {
    if (!isStopped && name === 'audit_LogCheckRequested') current = run();
  });
  return {
    async stop() {
      isStopped = true;
      unsubscribe();
      await current;
    },
  };
}
