import type { Output } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeAdministrator } from '../../policy/actors.ts';
import { countDrainsLeft } from '../../store/drains-left.ts';
import { jobIdOf, jobsNewestFirst, readJobs, type JobRow } from '../../store/jobs.ts';
import { readPage } from '../../store/paging/read-page.ts';

/** Lists the background jobs of the last days, for administrators. */
export const QueryJobs: Handler<'jobs_QueryJobs'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input }) {
    const left = await countDrainsLeft(tx);
    const { items, more } = await readPage(jobsNewestFirst, input, {
      read: (slice) => readJobs(tx, slice),
      toItem: (row) => toOutput(row, left),
    });
    return { jobs: items, ...more };
  },
};

function toOutput(row: JobRow, left: ReadonlyMap<string, number>) {
  const status = statusOf(row);
  const remaining = status === 'Pending' ? left.get(row.name) : undefined;
  return {
    jobId: jobIdOf(row),
    status,
    job: row.name,
    queued: row.state === 'created' || row.state === 'retry',
    attempts: row.started_on === null ? 0 : row.retry_count + 1,
    retryLimit: row.retry_limit,
    retryDelay: row.retry_delay,
    timeout: row.expire_seconds,
    createdAt: row.created_on,
    ...(row.completed_on === null ? {} : { finishedAt: row.completed_on }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(remaining === undefined ? {} : { remaining }),
  };
}

function statusOf({ state, error }: JobRow): JobStatus {
  if (state === 'completed') return 'Completed';
  if (state === 'cancelled') return 'Cancelled';
  if (state !== 'failed') return 'Pending';
  return error === 'job timed out' || error === 'job heartbeat timeout' ? 'Expired' : 'Failed';
}

type JobStatus = Output<'jobs_QueryJobs'>['jobs'][number]['status'];
