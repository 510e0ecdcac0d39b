import { PgBoss, type Db } from 'pg-boss';
import type { LogFields } from '../log/log-fields.ts';

/** Work that one node of the cluster runs at each time of a schedule. It may be aborted and run again, so it must be idempotent. */
export interface ScheduledJob {
  readonly name: string;
  /** When it is due: a cron expression in UTC. */
  readonly cron: string;
  /** Ends after its current step when the signal aborts: the run has taken its time, was cancelled, belongs to another node, or the node stops. The next one continues. */
  readonly run: (ending: AbortSignal) => Promise<unknown>;
  /** How long a run may go on, in seconds; 25 minutes by default. Five minutes later the queue takes it for hung. */
  readonly longestSecs?: number;
  /** How long its runs stay in the list of jobs, in seconds; a week by default. */
  readonly keepSecs?: number;
}

/** How often the queue polls the database, in seconds. */
export interface JobIntervals {
  /** The interval of polls for due jobs, per kind of job and for schedules. */
  readonly pollSecs: number;
  /** A running job without a heartbeat from its node for this long is retried by another node; at least 10. */
  readonly lostAfterSecs: number;
  /** The interval of checks for lost jobs. */
  readonly superviseSecs: number;
  /** The delay before a failed job is retried. */
  readonly retrySecs: number;
}

/** The dependencies of the jobs of a node. */
export interface JobsParts {
  /** The database of the queue, whose schema exists. */
  readonly db: Db;
  readonly schema: string;
  readonly jobs: readonly ScheduledJob[];
  /** Names that jobs had in former releases, whose schedules and jobs in the database are deleted. */
  readonly formerNames?: readonly string[];
  readonly log: { warn(fields: LogFields, message: string): void };
  readonly intervals?: JobIntervals;
}

/** The running jobs of a node. */
export interface Jobs {
  /** Queues a job for now; without effect while one of its kind waits or runs, on whichever node. */
  runSoon(name: string): Promise<void>;
  /** Starts no more jobs, asks running ones to end, and waits up to 10 s for them; they are retried later, by another node or after the next start. */
  stop(): Promise<void>;
}

const defaultIntervals: JobIntervals = { pollSecs: 30, lostAfterSecs: 60, superviseSecs: 60, retrySecs: 60 };
/** How long a stop waits for what runs. */
export const stopTimeoutMs = 10_000;
const rarelySecs = 3600;
const defaultLongestSecs = 25 * 60;
const lastStepSecs = 5 * 60;
const retryLimit = 3;
const weekSecs = 7 * 86_400;

/** Starts running this node's share of the jobs, after migrating the tables of the queue. */
export async function startJobs({
  db,
  schema,
  jobs,
  formerNames = [],
  log,
  intervals = defaultIntervals,
}: JobsParts): Promise<Jobs> {
  const boss = createBoss(db, schema, intervals);
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue failed and goes on'));
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'the job queue warns'));
  await boss.start();
  for (const name of formerNames) await deleteSchedule(boss, name);
  const workers = new Map<string, string>();
  const stopping = new AbortController();
  const node = { boss, intervals, log, stopping: stopping.signal };
  for (const job of jobs) workers.set(job.name, await addJob(job, node));
  return {
    async runSoon(name) {
      const queued = await boss.send(name, {});
      if (queued !== null) boss.notifyWorker(workers.get(name) ?? '');
    },
    stop() {
      stopping.abort(new Error('The hub stopped while this job ran.'));
      return boss.stop({ timeout: stopTimeoutMs });
    },
  };
}

function createBoss(db: Db, schema: string, intervals: JobIntervals): PgBoss {
  return new PgBoss({
    db,
    schema,
    createSchema: false,
    superviseIntervalSeconds: intervals.superviseSecs,
    monitorIntervalSeconds: intervals.superviseSecs,
    cronMonitorIntervalSeconds: intervals.pollSecs,
    cronWorkerIntervalSeconds: intervals.pollSecs,
    // The hub uses none of these features, so they poll the database as rarely as possible.
    queueCacheIntervalSeconds: rarelySecs,
    flowIntervalSeconds: rarelySecs,
    bamIntervalSeconds: rarelySecs,
    registerInstance: false,
    monitorVacuum: false,
    openTelemetry: { enabled: false },
  });
}

/** No worker would run what the schedule queues. The queue stays for nodes of a former release that are still running. */
async function deleteSchedule(boss: PgBoss, name: string): Promise<void> {
  await boss.unschedule(name);
  if ((await boss.getQueue(name)) !== null) await boss.deleteAllJobs(name);
}

/** What all jobs of a node share. */
interface JobsNode extends Required<Pick<JobsParts, 'log' | 'intervals'>> {
  readonly boss: PgBoss;
  /** Aborted with an Error when the node stops. */
  readonly stopping: AbortSignal;
}

/** Returns the id of its worker. */
async function addJob(job: ScheduledJob, node: JobsNode): Promise<string> {
  const { boss, intervals } = node;
  const { name, longestSecs = defaultLongestSecs } = job;
  const options = {
    expireInSeconds: longestSecs + lastStepSecs,
    heartbeatSeconds: intervals.lostAfterSecs,
    retryLimit,
    retryDelay: intervals.retrySecs,
    deleteAfterSeconds: job.keepSecs ?? weekSecs,
  };
  // `exclusive`: while one is waiting or running, the schedule adds no second.
  await boss.createQueue(name, { policy: 'exclusive', ...options });
  await boss.updateQueue(name, options);
  await boss.schedule(name, job.cron, {}, { missed: 'once' });
  return boss.work(name, { pollingIntervalSeconds: intervals.pollSecs }, async (claimed) => {
    const ofClaims = claimed.map(({ signal }) => signal);
    await run(job, [...ofClaims, AbortSignal.timeout(longestSecs * 1000)], node);
  });
}

/** Rejects if the run failed, or if the node stopped meanwhile: then it may have ended early. */
async function run(
  { name, ...job }: ScheduledJob,
  endings: AbortSignal[],
  { stopping, log }: JobsNode,
): Promise<void> {
  try {
    await job.run(AbortSignal.any([...endings, stopping]));
  } catch (error) {
    if (!stopping.aborted) log.warn({ err: error, job: name }, 'a job failed and will be retried');
    throw error;
  }
  stopping.throwIfAborted();
}
