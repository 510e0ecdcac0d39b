import type { Output } from '@corral/contract';
import { checkAgeSecs } from '../../assets/verify-object.ts';
import type { Handler, HandlerContext } from '../../executor/handler.ts';
import { mustBeAdministrator } from '../../policy/actors.ts';
import {
  countDeletedDevices,
  countDevicesOfDeletedProjects,
  countMarkedAssets,
  countUncheckedAssets,
} from '../../store/job-backlog.ts';
import { jobIdOf, jobsOrder, readJobs, type JobRow } from '../../store/jobs.ts';
import { filteredScope, readPage } from '../../store/paging/read-page.ts';

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

type Context = HandlerContext<'jobs_QueryJobs'>;

/** How many devices or assets a job still has before it, by its name; the other jobs count nothing. */
const backlogs: Readonly<Record<string, (context: Context) => Promise<number>>> = {
  'delete-devices-of-deleted-projects': async ({ tx }) =>
    (await countDevicesOfDeletedProjects(tx)) + (await countDeletedDevices(tx)),
  'delete-events-of-deleted-devices': ({ tx }) => countDeletedDevices(tx),
  'collect-assets': ({ tx }) => countMarkedAssets(tx),
  'scrub-assets': async ({ tx, now, storages }) =>
    countUncheckedAssets(tx, {
      checkedBefore: new Date(now.getTime() - checkAgeSecs * 1000),
      isDiskLeftOut: !(await storages.isDiskAuthoritative()),
    }),
};

/** Only the backlog of jobs that have not ended is counted, once for each name. */
async function withRemaining(context: Context, jobs: readonly Job[]): Promise<Job[]> {
  const remaining = new Map<string, number>();
  for (const { job, status } of jobs) {
    const count = status === 'Pending' && !remaining.has(job) ? backlogs[job] : undefined;
    if (count !== undefined) remaining.set(job, await count(context));
  }
  return jobs.map((job) => {
    const left = job.status === 'Pending' ? remaining.get(job.job) : undefined;
    return left === undefined ? job : { ...job, remaining: left };
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
