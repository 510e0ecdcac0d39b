import type { Actor } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';
import type { ScheduledJob } from './start-jobs.ts';

interface SealNeeds {
  readonly executor: Executor;
  readonly log: { info(fields: object, message: string): void };
}

const system: Actor = { actor: 'System', kind: 'System' };
const caller = { actor: system, origin: {} };
const hourSecs = 3600;

/** Seals all rows of the audit log that are final, in seals of limited size. Each seal is logged, so that a copy leaves the database. */
export async function sealRecord({ executor, log }: SealNeeds): Promise<void> {
  for (let isComplete = false; !isComplete;) {
    const done = await executor.invoke(caller, 'audit_SealRecord', {});
    isComplete = done.isComplete;
    if (done.seal !== undefined) log.info(done.seal, 'sealed the audit log');
  }
}

/** Seals the audit log every minute. */
export function sealJobs(needs: SealNeeds): ScheduledJob[] {
  return [{ name: 'seal-audit-log', cron: '* * * * *', run: () => sealRecord(needs), keepSecs: hourSecs }];
}
