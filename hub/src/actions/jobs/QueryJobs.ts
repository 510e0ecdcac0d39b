import type { Output } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeAdministrator } from '../../policy/actors.ts';
import { jobIdOf, jobsNewestFirst, readJobs, type JobRow } from '../../store/jobs.ts';
import { readPage } from '../../store/paging/read-page.ts';

/** Lists the background jobs of the last days, for administrators. */
export const QueryJobs: Handler<'jobs_QueryJobs'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input }) {
    const { items, more } = await readPage(jobsNewestFirst, input, {
      read: (slice) => readJobs(tx, slice),
      toItem: toOutput,
    });
    return { jobs: items, ...more };
  },
};

function toOutput(row: JobRow) {
  return {
    jobId: jobIdOf(row),
    status: statusOf(row),
    job: row.name,
    queued: row.state === 'created' || row.state === 'retry',
    attempts: row.started_on === null ? 0 : row.retry_count + 1,
    retryLimit: row.retry_limit,
    retryDelay: row.retry_delay,
    timeout: row.expire_seconds,
    createdAt: row.created_on,
    ...(row.completed_on === null ? {} : { finishedAt: row.completed_on }),
    ...(row.error === null ? {} : { error: row.error }),
  };
}

function statusOf({ state, error }: JobRow): JobStatus {
  if (state === 'completed') return 'Completed';
  if (state === 'cancelled') return 'Cancelled';
  if (state !== 'failed') return 'Pending';
  return error === 'job timed out' || error === 'job heartbeat timeout' ? 'Expired' : 'Failed';
}

type JobStatus = Output<'jobs_QueryJobs'>['jobs'][number]['status'];
