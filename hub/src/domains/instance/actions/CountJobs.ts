import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';
import { countJobs } from '../sql/jobs.ts';

/** Counts the background jobs by their status, for administrators. */
export const CountJobs: Handler<'jobs_CountJobs'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx }) {
    const { Pending = 0, Completed = 0, Failed = 0, Expired = 0, Cancelled = 0 } = await countJobs(tx);
    return { pending: Pending, completed: Completed, failed: Failed, expired: Expired, cancelled: Cancelled };
  },
};
