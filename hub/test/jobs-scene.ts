import type { Input, Output } from '@corral/contract';
import { test as base } from 'vitest';
import { QueryJobs } from '../src/domains/instance/actions/QueryJobs.ts';
import { connectSql } from '../src/platform/db/connect.ts';
import { ensureJobsSchema, jobsSchema } from '../src/platform/db/jobs-schema.ts';
import { startJobs, type JobIntervals, type ScheduledJob } from '../src/platform/jobs/start-jobs.ts';
import { ownDatabase, type FreshDatabase } from './fresh-database.ts';
import { system } from './fresh-executor.ts';

/** Short times of the queue. */
export const intervals: JobIntervals = { pollSecs: 1, lostAfterSecs: 10, superviseSecs: 1, retrySecs: 1 };

/** A database with the tables of jobs, and the nodes of one test. */
interface Scene {
  readonly database: FreshDatabase;
  /** Starts a node's share of the jobs. */
  readonly startNode: (
    jobs: readonly ScheduledJob[],
    warnings?: unknown[],
    formerNames?: readonly string[],
  ) => Promise<StartedNode>;
  readonly page: (input: Input<'jobs_QueryJobs'>) => Promise<Output<'jobs_QueryJobs'>>;
  readonly listed: () => Promise<Output<'jobs_QueryJobs'>['jobs']>;
}

interface StartedNode {
  readonly stop: () => Promise<void>;
}

/** A test with nodes that run jobs. Such tests wait for polls and retries, so they run at once, each on its own database. */
export const test = base.extend<{ scene: Scene }>({
  scene: async ({ task: _task }, use) => {
    await using database = await ownDatabase();
    await using nodes = new AsyncDisposableStack();
    await ensureJobsSchema(database.db);
    const page: Scene['page'] = async (input) => {
      const context = { tx: database.db, input, actor: system, now: new Date() };
      const answer = await QueryJobs.run(context as never, undefined);
      return answer as Output<'jobs_QueryJobs'>;
    };
    const startNode: Scene['startNode'] = async (jobs, warnings = [], formerNames = []) => {
      const node = await startOn(database, jobs, warnings, formerNames);
      nodes.defer(node.stop);
      return node;
    };
    await use({ database, startNode, page, listed: async () => (await page({})).jobs });
  },
}).concurrent;

async function startOn(
  database: FreshDatabase,
  jobs: readonly ScheduledJob[],
  warnings: unknown[],
  formerNames: readonly string[],
): Promise<StartedNode> {
  const db = connectSql(database.address, { maxConnections: 2, onIdleError() {} });
  const log = { warn: (fields: unknown) => void warnings.push(fields) };
  const node = await startJobs({ db, schema: jobsSchema, jobs, formerNames, log, intervals });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await node.stop();
    await db.close();
  };
  return { stop: () => (stopped ??= stop()) };
}
