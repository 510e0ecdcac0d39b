import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';
import { findFailures, jobIdOf } from '../sql/jobs.ts';

const dayMs = 86_400_000;

/** Groups the jobs that failed within a day by type, for administrators. */
export const SummarizeFailures: Handler<'jobs_SummarizeFailures'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, now }) {
    const types = await findFailures(tx, new Date(now.getTime() - dayMs));
    return {
      types: types.map((row) => ({
        job: row.name,
        failures: row.failures,
        jobId: jobIdOf(row),
        failedAt: row.failed_at,
        ...(row.error === null ? {} : { error: row.error }),
        isFailing: row.is_failing,
      })),
    };
  },
};
