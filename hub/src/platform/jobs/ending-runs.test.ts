import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assetScene, fileOf, type AssetScene } from '../../../test/asset-scene.ts';
import { createDiskStorage } from '../../domains/assets/storage/disk/disk-storage.ts';
import { createStorages, type Storages } from '../../domains/assets/storage/storages.ts';
import type { Executor } from '../../calls/executor.ts';
import { assetJobs } from '../../domains/assets/jobs/asset-jobs.ts';
import { deviceDeletionJobs } from '../../domains/devices/jobs/delete-devices-of-deleted-projects.ts';
import type { ScheduledJob } from './start-jobs.ts';
import { justProved } from '../../../test/just-proved.ts';

let folder: string;
let storages: Storages;
let scene: AssetScene;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-ending-'));
  storages = createStorages({
    disk: createDiskStorage(folder),
    readStore: async () => undefined,
    ruleFor: () => () => undefined,
    now: () => new Date(),
  });
  scene = await assetScene({ storages });
});
afterEach(async () => {
  await scene[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const database = () => scene.hub.database.db;
const owner = () => ({ actor: scene.owner, origin: justProved });

/** Runs one of the jobs, which is to end after its first call of this action, and resolves with all actions that it called. */
async function runUntil(
  action: string,
  name: string,
  jobsOf: (executor: Executor) => ScheduledJob[],
): Promise<string[]> {
  const calls: string[] = [];
  const ending = new AbortController();
  const { executor } = scene.hub;
  const noted = async <Answer>(called: string, call: () => Promise<Answer>): Promise<Answer> => {
    calls.push(called);
    const answer = await call();
    if (called === action) ending.abort();
    return answer;
  };
  const watched: Executor = {
    ...executor,
    invoke: (caller, called, input) => noted(called, () => executor.invoke(caller, called, input)),
    run: (caller, internal, ...input) => noted(internal.name, () => executor.run(caller, internal, ...input)),
  };
  const job = jobsOf(watched).find((each) => each.name === name);
  await job?.run(ending.signal);
  return calls;
}

async function addDevices(projectId: string, count: number): Promise<void> {
  const raw = ids.project.raw(projectId as 'p_');
  await sql`
    insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, enrolled_by, created_at)
      select 'd' || n, ${raw}, 'd' || n, '', 'token', now() from generate_series(1, ${count}) as n`.execute(
    database(),
  );
}
const countIn = async (table: 'all_devices' | 'assets') =>
  (
    await database()
      .selectFrom(table)
      .select(sql`1`.as('one'))
      .execute()
  ).length;

test('the deletion of devices ends after a step, and the next run continues', async () => {
  const { executor } = scene.hub;
  const project = await executor.invoke(owner(), 'projects_CreateProject', { name: 'north' });
  if (project.result !== 'Created') throw new Error(project.result);
  const { projectId } = project;
  await addDevices(projectId, 620);
  await executor.invoke(owner(), 'projects_DeleteProject', { projectId });
  const name = 'delete-devices-of-deleted-projects';
  expect(await runUntil('projects_DrainDeletedProjects', name, deviceDeletionJobs)).toHaveLength(1);
  expect(await countIn('all_devices')).toBe(370);
  await runUntil('no action', name, deviceDeletionJobs);
  expect(await countIn('all_devices')).toBe(0);
});

const assetJobsOf = (executor: Executor) =>
  assetJobs({ executor, storages, now: () => new Date(Date.now() + 2 * 86_400_000), scrubBytes: 1e9 });

test('the collection of assets ends with the deletions that it has begun', async () => {
  for (let count = 0; count < 12; count += 1) await scene.upload(fileOf(100));
  scene.hub.advance(2 * 86_400);
  await runUntil('repositories_DeleteMarkedAsset', 'collect-assets', assetJobsOf);
  expect(await countIn('assets')).toBeGreaterThanOrEqual(8);
  await runUntil('no action', 'collect-assets', assetJobsOf);
  expect(await countIn('assets')).toBe(0);
});

test('the sweep and the check of stored bytes end without an error', async () => {
  await scene.upload(fileOf(2_000_000));
  await storages.disk.partials.append('abandoned', {
    bytes: Readable.from([Buffer.from('left')]),
    offset: 0,
    maxBytes: 1000,
    signal: AbortSignal.timeout(60_000),
  });
  const left = async () => {
    let count = 0;
    for await (const { key } of storages.disk.partials.list()) count += Number(key === 'abandoned');
    return count;
  };
  await runUntil('jobs_ReportJobProgress', 'sweep-asset-stores', assetJobsOf);
  expect(await left()).toBe(1);
  await runUntil('no action', 'sweep-asset-stores', assetJobsOf);
  expect(await left()).toBe(0);
  await database().updateTable('assets').set({ storage_checked_at: null }).execute();
  const scrub = (action: string) => runUntil(action, 'scrub-assets', assetJobsOf);
  expect(await scrub('repositories_FindAssetsToCheck')).not.toContain('repositories_ReportAssetCheck');
  expect(await scrub('no action')).toContain('repositories_ReportAssetCheck');
});
