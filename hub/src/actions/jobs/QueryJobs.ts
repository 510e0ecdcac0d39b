import type { Output } from '@corral/contract';
import { checkAgeSecs } from '../../assets/verify-object.ts';
import type { Handler, HandlerContext } from '../../executor/handler.ts';
import { mustBeAdministrator } from '../../policy/actors.ts';
import { jobIdOf, jobsOrder, readJobs, type JobRow } from '../../store/jobs.ts';
import { filteredScope, readPage } from '../../store/paging/read-page.ts';
import { countWorkLeft } from '../../store/work-left.ts';

/** Lists the background jobs of the last days, for administrators. */
export const QueryJobs: Handler<'jobs_QueryJobs'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run(context) {
    const { tx, input } = context;
    const { search, status, order } = input;
    const { items, more } = await readPage(jobsOrder(order), input, {
      scope: filteredScope(search ?? '', status),
      read: (slice) => readJobs(tx, slice, { search, status }),
      toItem: toOutput,
    });
    return { jobs: await withRemaining(context, items), ...more };
  },
};

type Job = Output<'jobs_QueryJobs'>['jobs'][number];

/** Only what jobs that have not ended still have to do is counted. */
async function withRemaining(
  { tx, now, storages }: HandlerContext<'jobs_QueryJobs'>,
  jobs: readonly Job[],
): Promise<Job[]> {
  const unfinished = jobs.filter(({ status }) => status === 'Pending').map(({ job }) => job);
  if (unfinished.length === 0) return [...jobs];
  const left = await countWorkLeft(tx, {
    jobs: new Set(unfinished),
    checkedBefore: new Date(now.getTime() - checkAgeSecs * 1000),
    isDiskLeftOut: async () => !(await storages.isDiskAuthoritative()),
  });
  return jobs.map((job) => {
    const remaining = job.status === 'Pending' ? left.get(job.job) : undefined;
    return remaining === undefined ? job : { ...job, remaining };
  });
}

function toOutput(row: JobRow): Job {
  const isQueued = row.queue_rank === 0;
  return {
    jobId: jobIdOf(row),
    status: row.status,
    job: row.name,
    queued: isQueued,
    attempts: row.attempts,
    retryLimit: row.retry_limit,
    retryDelay: row.retry_delay,
    timeout: row.expire_seconds,
    createdAt: row.created_on,
    ...(row.completed_on === null ? {} : { finishedAt: row.completed_on }),
    ...(row.error === null ? {} : { error: row.error }),
    // What waits has not begun, and may have the count of the attempt before.
    ...(row.examined === null || isQueued ? {} : { examined: row.examined }),
  };
}
