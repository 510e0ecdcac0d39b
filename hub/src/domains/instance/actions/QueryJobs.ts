import type { Output } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { checkAgeSecs } from '../../assets/storage/verify-object.ts';
import { mustBeAdministrator } from '../../users/index.ts';
import { jobIdOf, jobsOrder, readJobs, type JobRow } from '../sql/jobs.ts';

/** Lists the background jobs of the last days, for administrators. */
export const QueryJobs: Handler<'jobs_QueryJobs'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run(context) {
    const { tx, input } = context;
    const { search, status, isFolded = false, order = isFolded ? '-urgency' : undefined } = input;
    const { items, more } = await readPage(jobsOrder(order), input, {
      scope: filteredScope(filteredScope(search ?? '', status), isFolded ? 'folded' : undefined),
      read: (slice) => readJobs(tx, slice, { search, status, isFolded }),
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
    ...(row.started_on === null || isQueued ? {} : { startedAt: row.started_on }),
    ...(row.runs === null ? {} : { runs: row.runs }),
    ...(row.completed_on === null ? {} : { finishedAt: row.completed_on }),
    ...(row.error === null ? {} : { error: row.error }),
    // What waits has not begun, and may have the count of the attempt before.
    ...(row.examined === null || isQueued ? {} : { examined: row.examined }),
  };
}

/** No count reads more rows than this, so that counting stays cheap. */
const countedAtMost = 100_000;

/** How many devices deleted projects have, at most 100,000. */
function countDevicesOfDeletedProjects(tx: Database): Promise<number> {
  return countRows(
    tx,
    sql`select true as is_left from all_projects a join all_devices d using (project_id)
      where not exists (select 1 from projects p where p.project_id = a.project_id)`,
  );
}

/** How many deleted devices may have events, at most 100,000. */
function countDeletedDevices(tx: Database): Promise<number> {
  return countRows(tx, sql`select true as is_left from deleted_devices`);
}

/** How many assets are marked for deletion, at most 100,000; without those that have no bytes any more and wait until no URL can bring them back. */
function countMarkedAssets(tx: Database): Promise<number> {
  return countRows(
    tx,
    sql`select storage_status <> 'Missing' or upload_url_ends_at is null or upload_url_ends_at < now() as is_left
      from assets where status = 'Deleting'`,
  );
}

/** Which assets are to be checked. */
interface UncheckedAssets {
  /** Those that were last checked before this. */
  readonly checkedBefore: Date;
  /** Whether those in the data folder do not count. */
  readonly isDiskLeftOut: boolean;
}

/** How many assets are to be checked; reads at most 100,000 rows. */
function countUncheckedAssets(
  tx: Database,
  { checkedBefore, isDiskLeftOut }: UncheckedAssets,
): Promise<number> {
  const isLeft = isDiskLeftOut ? sql`store_id is not null` : sql`true`;
  // Two ranges of the index by check, each of which is read no further than the bound.
  return countRows(
    tx,
    sql`select ${isLeft} as is_left from assets where status = 'Available' and storage_checked_at is null
      union all select ${isLeft} from assets where status = 'Available' and storage_checked_at < ${checkedBefore}`,
  );
}

async function countRows(tx: Database, rows: RawBuilder<unknown>): Promise<number> {
  const counted = await sql<{ left: number }>`
    select count(*) filter (where is_left) as left from (${rows} limit ${countedAtMost}) as counted`.execute(
    tx,
  );
  return counted.rows[0]?.left ?? 0;
}
