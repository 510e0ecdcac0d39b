import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DomainEvent, Id } from '@corral/contract';
import { sql } from 'kysely';
import { CancelJob } from '../../domains/instance/actions/CancelJob.ts';
import { RetryJob } from '../../domains/instance/actions/RetryJob.ts';
import { ensureJobsSchema, jobsSchema } from '../db/jobs-schema.ts';
import type { FreshDatabase } from '../../../test/fresh-database.ts';
import { intervals, test } from '../../../test/jobs-scene.ts';

const everyMinute = '* * * * *';
const soon = { interval: 100 };

test('each time of a schedule is one job, which one of several nodes runs', async ({
  expect,
  scene: { startNode, listed },
}) => {
  const runs: string[] = [];
  const jobsOf = (node: string) => [
    { name: 'sweep', cron: everyMinute, run: async () => void runs.push(node) },
  ];
  const nodes = await Promise.all(['north', 'south', 'west'].map((node) => startNode(jobsOf(node))));
  await expect
    .poll(listed, soon)
    .toContainEqual(expect.objectContaining({ job: 'sweep', status: 'Completed' }));
  // A minute may have ended meanwhile, so that there are two; no node runs one any more.
  for (const node of nodes) await node.stop();
  const done = (await listed()).filter(({ status }) => status === 'Completed');
  expect(runs).toHaveLength(done.length);
});

test('a job that fails is tried again, and shows its attempts and its error', async ({
  expect,
  scene: { startNode, listed },
}) => {
  const warnings: unknown[] = [];
  let attempts = 0;
  const run = async () => {
    attempts += 1;
    if (attempts < 3) throw new Error(`The disk is full, attempt ${attempts}.`);
  };
  await startNode([{ name: 'sweep', cron: everyMinute, run }], warnings);
  await expect
    .poll(listed, soon)
    .toMatchObject([{ status: 'Pending', error: 'The disk is full, attempt 1.', retryLimit: 3 }]);
  // A minute may end meanwhile, so that there is a newer one.
  const first = async () => (await listed()).at(-1);
  await expect.poll(first, soon).toMatchObject({ status: 'Completed', attempts: 3, queued: false });
  const job = await first();
  expect(job).toMatchObject({ job: 'sweep', timeout: 1800, retryDelay: 1, finishedAt: expect.any(String) });
  expect(job?.jobId).toMatch(/^job_\d{8}-\d{4}-[1-9A-HJ-NP-Za-km-z]{8}$/);
  expect(warnings).toHaveLength(2);
});

test(
  'a job of a killed node is run by another node',
  { timeout: 60_000 },
  async ({ expect, onTestFinished, scene: { database, startNode, listed } }) => {
    const script = fileURLToPath(new URL('fixtures/job-process.ts', import.meta.url));
    const address = JSON.stringify(database.address);
    const killed = spawn(process.execPath, [script, address, JSON.stringify(intervals), 'sweep'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void killed.kill('SIGKILL'));
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    // Its last heartbeat becomes as old as it would be after `lostAfterSecs`.
    await sql`update ${sql.id(jobsSchema, 'job')}
      set heartbeat_on = heartbeat_on - make_interval(secs => ${intervals.lostAfterSecs})`.execute(
      database.db,
    );
    let runs = 0;
    await startNode([{ name: 'sweep', cron: everyMinute, run: async () => void (runs += 1) }]);
    await expect
      .poll(listed, { interval: 200 })
      .toContainEqual(expect.objectContaining({ status: 'Completed', attempts: 2 }));
    expect(runs).toBeGreaterThan(0);
  },
);

test('a job that was renamed runs under its new name alone', async ({
  expect,
  scene: { database, startNode, listed },
}) => {
  const run = async () => {};
  const jobs = async () => [...new Set((await listed()).map(({ job }) => job))];
  const old = await startNode([{ name: 'sweep', cron: everyMinute, run }]);
  await expect.poll(jobs, soon).toEqual(['sweep']);
  await old.stop();
  await startNode([{ name: 'tidy', cron: everyMinute, run }], [], ['sweep', 'never-scheduled']);
  await expect.poll(jobs, soon).toEqual(['tidy']);
  const { rows } = await sql`select name from ${sql.table(`${jobsSchema}.schedule`)}`.execute(database.db);
  expect(rows).toEqual([{ name: 'tidy' }]);
});

test('a node that stops asks its running job to end, waits for it, and leaves it to be run again', async ({
  expect,
  scene: { startNode, listed },
}) => {
  const [begun, asked, release] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const run = async (ending: AbortSignal) => {
    begun.resolve();
    await whenAborted(ending);
    asked.resolve();
    await release.promise;
  };
  const warnings: unknown[] = [];
  const node = await startNode([{ name: 'sweep', cron: everyMinute, run }], warnings);
  await begun.promise;
  expect(await listed()).toMatchObject([{ status: 'Pending', queued: false, attempts: 1 }]);
  const stopped = node.stop();
  await asked.promise;
  expect(await listed()).toMatchObject([{ status: 'Pending', queued: false }]);
  release.resolve();
  await stopped;
  expect(await listed()).toMatchObject([
    { status: 'Pending', queued: true, error: 'The hub stopped while this job ran.' },
  ]);
  expect(warnings).toEqual([]);
  let runs = 0;
  await startNode([{ name: 'sweep', cron: everyMinute, run: async () => void (runs += 1) }]);
  await expect
    .poll(async () => (await listed()).at(-1), soon)
    .toMatchObject({ status: 'Completed', attempts: 2 });
});

const whenAborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort');
};

test('a run is asked to end when it has taken its time, and is then complete', async ({
  expect,
  scene: { startNode, listed },
}) => {
  await startNode([{ name: 'sweep', cron: everyMinute, run: whenAborted, longestSecs: 1 }]);
  // A minute may end meanwhile, so that there is a newer one.
  await expect
    .poll(async () => (await listed()).at(-1), soon)
    .toMatchObject({ status: 'Completed', attempts: 1, timeout: 301 });
});

test('a run that goes on after its time is asked to end, and its job is shown as expired', async ({
  expect,
  scene: { database, startNode, listed },
}) => {
  const [asked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = async (ending: AbortSignal) => {
    await whenAborted(ending);
    asked.resolve();
    await release.promise;
  };
  await startNode([{ name: 'sweep', cron: '0 0 1 1 *', run }]);
  await sql`insert into ${sql.id(jobsSchema, 'job')} (name, policy, retry_limit, expire_seconds, heartbeat_seconds)
    values ('sweep', 'exclusive', 0, 1, 10)`.execute(database.db);
  await asked.promise;
  // The node that runs it says so, or the upkeep of the table, whichever comes first.
  await expect
    .poll(listed, soon)
    .toMatchObject([{ status: 'Expired', error: expect.stringMatching(/exceeded 1s|timed out/) }]);
  release.resolve();
});

test(
  'a run whose job is cancelled is asked to end',
  { timeout: 30_000 },
  async ({ expect, scene: { database, startNode, listed } }) => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = async (ending: AbortSignal) => {
      begun.resolve();
      await whenAborted(ending);
      ended.resolve();
    };
    await startNode([{ name: 'sweep', cron: everyMinute, run }]);
    await begun.promise;
    await steer(database, 'jobs_CancelJob', (await listed())[0]!.jobId);
    await ended.promise;
    expect(await listed()).toContainEqual(expect.objectContaining({ status: 'Cancelled' }));
  },
);

test('a role that may not create schemas gets the statements to run', async ({
  expect,
  scene: { database },
}) => {
  await sql`drop schema if exists ${sql.id(jobsSchema)} cascade`.execute(database.db);
  await database.db.connection().execute(async (connection) => {
    const role = sql.id(`plain_${Date.now()}`);
    await sql`create role ${role}`.execute(connection);
    await sql`set role ${role}`.execute(connection);
    await expect(ensureJobsSchema(connection)).rejects.toThrow(
      `its role may not create schemas; run "create schema ${jobsSchema} authorization <role>" as the owner of the database`,
    );
    await sql`reset role`.execute(connection);
    await sql`drop role ${role}`.execute(connection);
  });
});

test('a schema that another node creates in the same moment is taken as it is', async ({
  expect,
  scene: { database },
}) => {
  const { db } = database;
  await sql`drop schema if exists ${sql.id(jobsSchema)} cascade`.execute(db);
  const waiting = () =>
    sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'create schema%'`
      .execute(db)
      .then(({ rows }) => rows.length);
  const ensured = await db.transaction().execute(async (other) => {
    await sql`create schema ${sql.id(jobsSchema)}`.execute(other);
    const ensuring = ensureJobsSchema(db);
    ensuring.catch(() => undefined);
    await expect.poll(waiting).toBe(1);
    return { ensuring };
  });
  await ensured.ensuring;
});

/** Calls an action on jobs as the hub itself. */
async function steer(
  { db }: FreshDatabase,
  name: 'jobs_RetryJob' | 'jobs_CancelJob',
  jobId: Id<'job'>,
): Promise<DomainEvent['data'][]> {
  const events: DomainEvent['data'][] = [];
  const emit = (_name: string, data: DomainEvent['data']) => void events.push(data);
  const { run } = name === 'jobs_RetryJob' ? RetryJob : CancelJob;
  await run({ tx: db, input: { jobId }, now: new Date(), emit } as never, undefined);
  return events;
}

test('a job that failed is tried again on request, and one that waits is cancelled', async ({
  expect,
  scene: { database, startNode, listed },
}) => {
  let isBroken = true;
  const run = async () => {
    if (isBroken) throw new Error('The disk is full.');
  };
  await startNode([{ name: 'sweep', cron: '0 0 1 1 *', run }]);
  const addJob = (state: string) =>
    sql`insert into ${sql.id(jobsSchema, 'job')} (name, state, policy, retry_count, retry_limit, start_after)
      values ('sweep', ${state}, 'exclusive', 3, 3, now() + interval '1 hour')`.execute(database.db);
  await addJob('failed');
  const [failed] = await listed();
  await expect(steer(database, 'jobs_CancelJob', failed!.jobId)).rejects.toThrow(
    'This job has already ended.',
  );
  await addJob('created');
  const waiting = (await listed()).find(({ queued }) => queued);
  await expect(steer(database, 'jobs_RetryJob', waiting!.jobId)).rejects.toThrow(
    'Only a job that failed can be tried again.',
  );
  await expect(steer(database, 'jobs_RetryJob', failed!.jobId)).rejects.toThrow(
    'Another sweep already waits or runs; nothing was changed.',
  );
  expect(await steer(database, 'jobs_CancelJob', waiting!.jobId)).toEqual([
    { jobId: waiting!.jobId, job: 'sweep' },
  ]);
  isBroken = false;
  await sql`update ${sql.id(jobsSchema, 'job')} set start_after = now() where state = 'failed'`.execute(
    database.db,
  );
  await steer(database, 'jobs_RetryJob', failed!.jobId);
  await expect
    .poll(async () => (await listed()).map(({ status }) => status).toSorted(), soon)
    .toEqual(['Cancelled', 'Completed']);
  await expect(steer(database, 'jobs_RetryJob', 'job_20261120-1200-AAAAAAAA')).rejects.toThrow(
    'Job not found.',
  );
});
