import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assetScene, callUrl, fileOf, folderScene, type FolderScene } from '../../../../test/asset-scene.ts';
import { s3Double } from '../../../../test/s3-double/s3-double.ts';
import { storagesOf } from '../../../../test/test-storages.ts';
import { testVault } from '../../../../test/test-vault.ts';
import { StorageError } from '../storage/asset-storage.ts';
import { createDiskStorage } from '../storage/disk/disk-storage.ts';
import type { Storages } from '../storage/storages.ts';
import { newRawId } from '../../../auth/random.ts';
import type { Executor } from '../../../calls/executor.ts';
import { setCurrentStore } from '../sql/object-stores.ts';
import { scrubAssets } from './scrub-assets.ts';
import { justProved } from '../../../../test/just-proved.ts';

const day = 86_400;
let storages: Storages;
let scene: FolderScene;
beforeEach(async () => {
  scene = await folderScene();
  ({ storages } = scene.hub);
});
afterEach(() => scene[Symbol.asyncDispose]());

const rows = () => scene.hub.database.db.selectFrom('assets').selectAll().execute();

/** An executor that does something before it runs one action. */
const beforeAction = (name: string, work: () => Promise<void>): Executor => {
  const { executor } = scene.hub;
  const run = async (called: string, action: () => Promise<unknown>): Promise<unknown> => {
    if (called === name) await work();
    return action();
  };
  return {
    execute: (caller, called, input) => run(called, () => executor.execute(caller, called, input)),
    invoke: ((caller, called, input) =>
      run(called, () => executor.invoke(caller, called, input))) as Executor['invoke'],
    run: ((caller, internal, ...input) =>
      run(internal.name, () => executor.run(caller, internal, ...input))) as Executor['run'],
  };
};

/** Uploads a file, and changes the stored bytes. */
async function damagedAsset() {
  const sizeBytes = 1000;
  const file = fileOf(sizeBytes);
  const assetId = await scene.upload(file);
  const row = (await rows()).find(({ asset_id }) => asset_id === ids.asset.raw(assetId));
  writeFileSync(join(scene.folder, 'objects', row?.storage_key ?? ''), Buffer.alloc(sizeBytes));
  return { assetId, file };
}
const statusOf = async (assetId: Id<'asset'>) => (await scene.details(assetId)).storage?.status;
const damages = async () =>
  (await scene.hub.database.db.selectFrom('audit_events').select('event').execute()).filter(
    ({ event }) => event === 'repositories_AssetDamaged',
  ).length;

test('a finding of the scrub does not count for bytes that were repaired meanwhile', async () => {
  const { assetId, file } = await damagedAsset();
  scene.hub.advance(2 * day);
  const executor = beforeAction('repositories_ReportAssetCheck', async () => {
    expect((await callUrl(await scene.downloadUrl(assetId))).status).toBe(500);
    await scene.upload(file);
    expect(await statusOf(assetId)).toBe('Verified');
  });
  await scrubAssets({ executor, storages, maxBytes: 1e9 });
  expect(await statusOf(assetId)).toBe('Verified');
  expect(await damages()).toBe(1);
  expect((await callUrl(await scene.downloadUrl(assetId))).bytes.equals(file.bytes)).toBe(true);
});

test('a store that does not answer is asked once in a run, however many of its assets are due before others', async () => {
  await using store = await s3Double({ refuses: true });
  const { hub, repositoryId } = scene;
  const { db } = hub.database;
  const { assetId } = await damagedAsset();
  hub.advance(2 * day);
  const settings = { publicEndpoint: undefined, region: 'us-east-1', ...store.settings };
  const { secretAccessKey } = settings;
  const wanted = {
    repositoryId: ids.repository.raw(repositoryId),
    settings,
    secretAccessKey,
    capabilities: null,
  };
  const storeId = await db
    .transaction()
    .execute((tx) => setCurrentStore({ tx, vault: testVault, now: new Date() }, wanted));
  await sql`
    insert into assets (asset_id, repository_id, digest, size, status, store_id, storage_key, created_at, touched_at)
    select id, ${ids.repository.raw(repositoryId)}, sha256(id::bytea), 1000, 'Available', ${storeId}, id, now(), now()
    from unnest(${Array.from({ length: 200 }, newRawId)}::text[]) as id`.execute(db);
  const both = storagesOf(db, { disk: createDiskStorage(scene.folder) });
  const run = scrubAssets({ executor: hub.executor, storages: both, maxBytes: 1e9 });
  await expect(run).rejects.toThrow(/^The bytes of one asset could not be checked: /);
  expect(store.requests).toHaveLength(1);
  expect(await statusOf(assetId)).toBe('Mismatched');
});

test('an asset that is being read when the hub stops keeps its state', async () => {
  await using store = await s3Double({ reportsChecksum: false });
  await using inStore = await assetScene();
  const { executor, database } = inStore.hub;
  const { db } = database;
  const { repositoryId } = inStore;
  const s3Config = { region: 'us-east-1', ...store.settings };
  await executor.invoke({ actor: inStore.owner, origin: justProved }, 'repositories_SetS3Config', {
    repositoryId,
    s3Config,
  });
  await inStore.upload(fileOf(1_100_000));
  await db.updateTable('assets').set({ storage_checked_at: null }).execute();
  const asked = Promise.withResolvers<void>();
  store.profile.sendsAfter = () => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = scrubAssets({
    executor,
    storages: storagesOf(db),
    maxBytes: 1e9,
    ending: signal,
    stopping: signal,
  });
  await asked.promise;
  const before = await db.selectFrom('assets').selectAll().execute();
  stopping.abort(new StorageError('Unreachable', 'The hub stops.'));
  await expect(run).rejects.toThrow(/^The hub stops\.$/);
  expect(await db.selectFrom('assets').selectAll().execute()).toEqual(before);
});
