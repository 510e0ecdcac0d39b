import type { Input } from '@corral/contract';
import { sql } from 'kysely';
import { CountJobs } from '../../domains/instance/actions/CountJobs.ts';
import { SummarizeFailures } from '../../domains/instance/actions/SummarizeFailures.ts';
import { jobsSchema } from '../db/jobs-schema.ts';
import { findFailingJobs } from '../../domains/instance/sql/jobs.ts';
import { test } from '../../../test/jobs-scene.ts';

test('jobs are listed page by page', async ({ expect, scene: { database, startNode, page, listed } }) => {
  await startNode([{ name: 'sweep', cron: '0 0 1 1 *', run: async () => {} }]);
  await sql`insert into ${sql.id(jobsSchema, 'job')} (name, state, created_on)
    select 'sweep', 'completed', now() - n % 3 * interval '1 second' from generate_series(1, 10) n`.execute(
    database.db,
  );
  const whole = await listed();
  expect(whole).toHaveLength(10);
  const walked: typeof whole = [];
  for (let after: string | undefined; ;) {
    const { jobs, next } = await page({ limit: 3, after });
    walked.push(...jobs);
    after = next;
    if (after === undefined) break;
  }
  expect(walked).toEqual(whole);
});

const inEachOrder: [order: NonNullable<Input<'jobs_QueryJobs'>['order']>, types: string[]][] = [
  ['timestamp', ['scrub', 'sweep', 'upkeep', 'collect']],
  ['-timestamp', ['collect', 'upkeep', 'sweep', 'scrub']],
  ['id', ['scrub', 'sweep', 'upkeep', 'collect']],
  ['type', ['collect', 'scrub', 'sweep', 'upkeep']],
  ['-type', ['upkeep', 'sweep', 'scrub', 'collect']],
  ['queued', ['collect', 'upkeep', 'scrub', 'sweep']],
  ['status', ['scrub', 'sweep', 'upkeep', 'collect']],
  ['-attempts', ['sweep', 'upkeep', 'scrub', 'collect']],
];

const bySearch: [search: string, types: string[]][] = [
  ['SWEEP', ['sweep']],
  [' expired ', ['sweep']],
  ['timed out', ['sweep']],
  ['pend', ['collect', 'upkeep']],
  ['nothing of it', []],
];

const byStatus: [status: NonNullable<Input<'jobs_QueryJobs'>['status']>, types: string[]][] = [
  ['Pending', ['collect', 'upkeep']],
  ['Completed', ['scrub']],
  ['Expired', ['sweep']],
  ['Failed', []],
];

test('jobs are sorted, searched, filtered by status and counted, page by page', async ({
  expect,
  scene: { database, startNode, page },
}) => {
  const names = ['scrub', 'sweep', 'upkeep', 'collect'];
  await startNode(names.map((name) => ({ name, cron: '0 0 1 1 *', run: async () => {} })));
  // A job of an hour ahead does not begin; that of the node that runs is not taken over.
  await sql`insert into ${sql.id(jobsSchema, 'job')}
      (name, state, created_on, start_after, started_on, heartbeat_on, retry_count, output)
    values
      ('scrub', 'completed', now() - interval '4 minutes', now(), now(), null, 0, null),
      ('sweep', 'failed', now() - interval '3 minutes', now(), now(), null, 3, '{"message":"job timed out"}'),
      ('upkeep', 'active', now() - interval '2 minutes', now(), now(), now(), 1, null),
      ('collect', 'created', now() - interval '1 minute', now() + interval '1 hour', null, null, 0, null)`.execute(
    database.db,
  );
  const walk = async (input: Input<'jobs_QueryJobs'>) => {
    const types: string[] = [];
    let after: string | undefined;
    do {
      const { jobs, next } = await page({ ...input, limit: 1, after });
      types.push(...jobs.map(({ job }) => job));
      after = next;
    } while (after !== undefined);
    return types;
  };
  for (const [order, types] of inEachOrder) expect([order, await walk({ order })]).toEqual([order, types]);
  for (const [search, types] of bySearch) expect([search, await walk({ search })]).toEqual([search, types]);
  for (const [status, types] of byStatus) expect([status, await walk({ status })]).toEqual([status, types]);
  for (const { jobId, job } of (await page({})).jobs) expect(await walk({ search: jobId })).toEqual([job]);
  expect(await walk({ search: 'job_20260101-0000-aaaaaaaa' })).toEqual([]);
  const counted = await CountJobs.run({ tx: database.db } as never, undefined);
  expect(counted).toEqual({ pending: 2, completed: 1, failed: 0, expired: 1, cancelled: 0 });
  const ofStatus = await page({ limit: 1, status: 'Pending' });
  await expect(page({ limit: 1, after: ofStatus.next })).rejects.toThrow('earlier answer for the same list');
  const { next } = await page({ limit: 1, search: 'e' });
  await expect(page({ limit: 1, search: 'p', after: next })).rejects.toThrow(
    'earlier answer for the same list',
  );
});

test('a type of job fails if the newest one that has ended did', async ({
  expect,
  scene: { database, startNode },
}) => {
  const names = ['scrub', 'sweep', 'upkeep', 'collect'];
  await startNode(names.map((name) => ({ name, cron: '0 0 1 1 *', run: async () => {} })));
  const ended = (name: string, state: string, ago: string) =>
    sql`
    insert into ${sql.id(jobsSchema, 'job')} (name, state, started_on, completed_on)
    values (${name}, ${state}, now(), now() - ${ago}::interval)`.execute(database.db);
  await ended('sweep', 'completed', '2 hours');
  await ended('sweep', 'failed', '1 hour');
  await ended('sweep', 'cancelled', '0 hours');
  await ended('scrub', 'failed', '2 hours');
  await ended('scrub', 'completed', '1 hour');
  await ended('upkeep', 'cancelled', '1 hour');
  expect(await findFailingJobs(database.db)).toEqual({ sweep: 1, scrub: 0 });
});

test('a folded list has the newest completed job of each type with their number, and failed ones first', async ({
  expect,
  scene: { database, startNode, page },
}) => {
  await startNode(['scrub', 'sweep'].map((name) => ({ name, cron: '0 0 1 1 *', run: async () => {} })));
  await sql`insert into ${sql.id(jobsSchema, 'job')} (name, state, created_on, started_on, completed_on)
    select case when n % 2 = 0 then 'scrub' else 'sweep' end, case when n in (7, 15) then 'failed' else 'completed' end::corral_jobs.job_state,
      now() - n * interval '1 hour', now() - n * interval '1 hour', now() - n * interval '1 hour' from generate_series(1, 40) n`.execute(
    database.db,
  );
  const rows: unknown[][] = [];
  for (let after: string | undefined; ;) {
    const { jobs, next } = await page({ isFolded: true, limit: 1, after });
    rows.push(...jobs.map(({ job, status, runs }) => [job, status, runs]));
    after = next;
    if (after === undefined) break;
  }
  expect(rows).toEqual([
    ['sweep', 'Failed', undefined],
    ['sweep', 'Failed', undefined],
    ['sweep', 'Completed', 18],
    ['scrub', 'Completed', 20],
  ]);
  const whole = await page({ limit: 1 });
  expect(whole.jobs[0]).not.toHaveProperty('runs');
  await expect(page({ isFolded: true, limit: 1, after: whole.next })).rejects.toThrow('earlier answer');
  const summarize = async () => {
    const answer = await SummarizeFailures.run({ tx: database.db, now: new Date() } as never, undefined);
    return 'types' in answer ? answer.types : [];
  };
  expect(await summarize()).toMatchObject([{ job: 'sweep', failures: 2, isFailing: false }]);
  await sql`update ${sql.id(jobsSchema, 'job')} set state = 'failed', output = '{"message":"The disk is full."}'
    where name = 'scrub' and completed_on > now() - interval '150 minutes'`.execute(database.db);
  const types = await summarize();
  expect(types).toMatchObject([
    { job: 'scrub', failures: 1, isFailing: true, error: 'The disk is full.' },
    { job: 'sweep', failures: 2, isFailing: false },
  ]);
  expect((await page({ search: types[0]?.jobId ?? '' })).jobs).toMatchObject([
    { job: 'scrub', status: 'Failed' },
  ]);
});
