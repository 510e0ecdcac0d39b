import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assetScene, fileOf, type AssetScene } from '../../../test/asset-scene.ts';
import { mostRowsOf } from '../../../test/plan-rows.ts';
import { recordStatements } from '../../../test/recorded-statements.ts';
import { s3Double } from '../../../test/s3-double/s3-double.ts';
import { connectSql } from '../db/connect.ts';
import { ensureJobsSchema, jobsSchema } from '../db/jobs-schema.ts';
import { assetJobs } from '../../domains/assets/jobs/asset-jobs.ts';
import { collectAssets } from '../../domains/assets/jobs/collect-assets.ts';
import { startJobs, type Jobs } from './start-jobs.ts';
import { justProved } from '../../../test/just-proved.ts';

const day = 86_400;
const slowly = { timeout: 60_000, interval: 200 };
type Actor = AssetScene['owner'];

let scene: AssetScene;
let admin: Actor;
beforeEach(async () => {
  scene = await assetScene();
  admin = await scene.hub.user('root@example.org', { isAdmin: true });
});
afterEach(() => scene[Symbol.asyncDispose]());

const as = (actor: Actor) => ({ actor, origin: justProved });
const listed = async () => (await scene.hub.executor.invoke(as(admin), 'jobs_QueryJobs', {})).jobs;
const logged = async () => {
  const { repositoryId } = scene;
  return (
    await scene.hub.executor.invoke(as(scene.owner), 'repositories_QueryAuditLogEvents', { repositoryId })
  ).events;
};
const collected = async () => (await logged()).filter(({ event }) => event === 'repositories_AssetCollected');
const remove = (assetId: Awaited<ReturnType<AssetScene['upload']>>) =>
  scene.hub.executor.invoke(as(scene.owner), 'repositories_DeleteAsset', { assetId });

/** The queue of a node with the upkeep of assets, whose jobs wait for `begin`. */
async function upkeep(
  scrubBytes = Infinity,
  now = () => new Date(),
): Promise<AsyncDisposable & Jobs & { begin(): void }> {
  const { executor, storages, database } = scene.hub;
  await ensureJobsSchema(database.db);
  const db = connectSql(database.address, { maxConnections: 2, onIdleError() {} });
  const begun = Promise.withResolvers<void>();
  const jobs = assetJobs({ executor, storages, now, scrubBytes });
  const queue = await startJobs({
    db,
    schema: jobsSchema,
    jobs: jobs.map((job) => ({
      ...job,
      cron: '0 0 1 1 *',
      run: (ending) => begun.promise.then(() => job.run(ending)),
    })),
    log: { warn: () => undefined },
    intervals: { pollSecs: 1, lostAfterSecs: 10, superviseSecs: 1, retrySecs: 1 },
  });
  return {
    ...queue,
    begin: () => begun.resolve(),
    async [Symbol.asyncDispose]() {
      begun.resolve();
      await queue.stop();
      await db.close();
    },
  };
}

test('a collection shows how many assets it has left, and the log which ones went', async () => {
  const files = [fileOf(1000), fileOf(2000)];
  const assetIds = [await scene.upload(files[0]!), await scene.upload(files[1]!)];
  const kept = await scene.create(fileOf(3000));
  for (const assetId of assetIds) await remove(assetId);
  await using queue = await upkeep();
  await queue.runSoon('collect-assets');
  await expect
    .poll(listed, slowly)
    .toMatchObject([{ job: 'collect-assets', status: 'Pending', remaining: 2 }]);
  queue.begin();
  await expect.poll(listed, slowly).toMatchObject([{ job: 'collect-assets', status: 'Completed' }]);
  expect((await listed())[0]).not.toHaveProperty('remaining');
  const { repositoryId } = scene;
  const entries = (await collected()).map(({ actor, data }) => ({ actor: actor.kind, data }));
  expect(entries).toHaveLength(2);
  for (const [index, { digest, bytes }] of files.entries())
    expect(entries).toContainEqual({
      actor: 'System',
      data: { repositoryId, assetId: assetIds[index], size: bytes.length, digest },
    });
  expect((await scene.details(kept)).status).toBe('Dangling');
});

test('the collection of an unused asset is in the log of its repository, and that of a deleted repository in no log', async () => {
  const { executor, database, advance } = scene.hub;
  const assetId = await scene.upload(fileOf(1000));
  await collectAssets(scene.hub);
  expect(await collected()).toEqual([]);
  advance(2 * day);
  await collectAssets(scene.hub);
  expect(await collected()).toMatchObject([{ actor: { kind: 'System' }, data: { assetId, size: 1000 } }]);
  await scene.upload(fileOf(1000));
  const { repositoryId } = scene;
  await executor.invoke(as(scene.owner), 'repositories_DeleteRepository', { repositoryId });
  await collectAssets(scene.hub);
  expect(await database.db.selectFrom('assets').selectAll().execute()).toEqual([]);
  const { rows } = await sql`select 1 from audit_events where event = 'repositories_AssetCollected'`.execute(
    database.db,
  );
  expect(rows).toHaveLength(1);
});

test('a scrub shows how many assets it has left to check', async () => {
  for (let count = 0; count < 3; count += 1) await scene.upload(fileOf(1000));
  scene.hub.advance(2 * day);
  await using queue = await upkeep(1);
  queue.begin();
  await queue.runSoon('scrub-assets');
  await expect.poll(listed, slowly).toMatchObject([{ status: 'Completed' }]);
  await using other = await upkeep(1);
  await queue.stop();
  await other.runSoon('scrub-assets');
  await expect
    .poll(listed, slowly)
    .toMatchObject([{ job: 'scrub-assets', status: 'Pending', remaining: 2 }, { status: 'Completed' }]);
});

test('a sweep shows how many objects it has examined, while it runs and when it has ended', async () => {
  await using store = await s3Double();
  const { executor, storages } = scene.hub;
  const { repositoryId } = scene;
  await scene.upload(fileOf(1000));
  // Those of tests before, too.
  const inFolder = (await storages.disk.list()).length;
  const s3Config = { region: 'us-east-1', ...store.settings };
  await executor.invoke(as(scene.owner), 'repositories_SetS3Config', { repositoryId, s3Config });
  for (const size of [2000, 3000]) await scene.upload(fileOf(size));
  const [stored] = store.objects.values();
  store.objects.set('.corral-probe/0123456789abcdef/right', stored!);
  const deleted = Promise.withResolvers<void>();
  store.profile.answersAfter = (operation) => (operation === 'DELETE' ? deleted.promise : Promise.resolve());
  await using queue = await upkeep(1, () => new Date(Date.now() + 2 * day * 1000));
  queue.begin();
  await queue.runSoon('sweep-asset-stores');
  const job = 'sweep-asset-stores';
  // The page of the store is counted when all of it was looked at.
  await expect
    .poll(listed, slowly)
    .toMatchObject([{ job, status: 'Pending', queued: false, examined: inFolder }]);
  deleted.resolve();
  await expect.poll(listed, slowly).toMatchObject([{ job, status: 'Completed', examined: inFolder + 3 }]);
  await queue.runSoon('collect-assets');
  await expect.poll(listed, slowly).toMatchObject([{ status: 'Completed' }, { job }]);
  expect((await listed())[0]).not.toHaveProperty('examined');
});

test('a scrub whose store does not answer fails with a sentence, also when it is tried again; another try checks what was left', async () => {
  await using store = await s3Double();
  const { executor } = scene.hub;
  const { repositoryId } = scene;
  const s3Config = { region: 'us-east-1', ...store.settings };
  await executor.invoke(as(scene.owner), 'repositories_SetS3Config', { repositoryId, s3Config });
  const assetId = await scene.upload(fileOf(1000));
  await executor.invoke(as(scene.owner), 'repositories_RetryAssetCheck', { assetId });
  store.profile.failures = Infinity;
  await using queue = await upkeep();
  queue.begin();
  await queue.runSoon('scrub-assets');
  await expect.poll(listed, slowly).toMatchObject([{ job: 'scrub-assets', status: 'Failed', attempts: 4 }]);
  const [job] = await listed();
  expect(job?.error).toMatch(
    /^The bytes of one asset could not be checked: .+ is overloaded: .+ Check the object store\.$/,
  );
  expect((await scene.details(assetId)).storage?.status).toBe('Error');
  store.profile.failures = 0;
  await executor.invoke(as(admin), 'jobs_RetryJob', { jobId: job!.jobId });
  await expect.poll(listed, slowly).toMatchObject([{ status: 'Completed' }]);
  expect((await scene.details(assetId)).storage?.status).toBe('Verified');
});

test('counting what is left reads only what is left, of many assets', async () => {
  const { database } = scene.hub;
  await sql`insert into assets (asset_id, repository_id, digest, size, status, storage_key, created_at, touched_at, storage_checked_at)
    select 'a' || n, (select repository_id from repositories), sha256(n::text::bytea), 1, 'Available', 'k' || n, now(), now(),
      case when n <= 3 then null when n <= 5 then now() - interval '3 days' else now() end
    from generate_series(1, 20000) as n`.execute(database.db);
  await sql`analyze assets`.execute(database.db);
  await using queue = await upkeep();
  await queue.runSoon('scrub-assets');
  await queue.runSoon('collect-assets');
  using statements = recordStatements();
  await expect.poll(listed, slowly).toMatchObject([
    { job: 'collect-assets', remaining: 0 },
    { job: 'scrub-assets', remaining: 5 },
  ]);
  const counts = statements.containing('filter (where is_left)');
  expect(counts.length).toBeGreaterThanOrEqual(2);
  for (const count of counts.slice(0, 2)) expect(await mostRowsOf(database.db, count)).toBeLessThan(100);
});
