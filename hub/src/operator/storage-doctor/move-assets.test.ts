import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ids, type Id } from '@corral/contract';
import { expect, onTestFinished, test } from 'vitest';
import { assetScene, callUrl, fileOf } from '../../../test/asset-scene.ts';
import { httpHub } from '../../../test/http-hub.ts';
import { storagesOf } from '../../../test/test-storages.ts';
import { by, doubleOfTest, objectsOf } from '../../../test/two-hubs.ts';
import { createDiskStorage } from '../../domains/assets/storage/disk/disk-storage.ts';
import { createStorages } from '../../domains/assets/storage/storages.ts';
import { sweepStores } from '../../domains/assets/jobs/sweep-stores.ts';
import { moveAssets } from './move-assets.ts';

const silent = { step: () => undefined, add: () => undefined, end: () => undefined };

test('moves the assets of the data folder to the object store, except damaged ones, and continues after an interruption', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'corral-move-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const disk = createDiskStorage(folder);
  const none = { readStore: async () => undefined, ruleFor: () => () => undefined, now: () => new Date() };
  await using scene = await assetScene({ storages: createStorages({ disk, ...none }) });
  const { database } = scene.hub;
  const { db } = database;
  const storages = storagesOf(db, { disk });
  // As it is started again, with an object store.
  await using later = await httpHub({ database, storages });
  const { executor } = later;
  const states = async () =>
    (await moveAssets({ db, executor, storages }, silent)).map(({ state, count }) => `${state} ${count}`);
  const keyOf = async (assetId: Id<'asset'>) =>
    (
      await db
        .selectFrom('assets')
        .select('storage_key')
        .where('asset_id', '=', ids.asset.raw(assetId))
        .executeTakeFirstOrThrow()
    ).storage_key;

  const [small, large, bad] = [fileOf(1000), fileOf(2_500_000), fileOf(2000)];
  const assets = [await scene.upload(small), await scene.upload(large)];
  const damaged = await scene.upload(bad);
  await writeFile(join(folder, 'objects', await keyOf(damaged)), fileOf(2000).bytes);
  expect(await states()).toEqual(['right 0', 'right 3']);

  const store = await doubleOfTest();
  const s3Config = { region: 'us-east-1', ...store.settings };
  const { repositoryId } = scene;
  await executor.invoke(by(scene), 'repositories_SetS3Config', { repositoryId, s3Config });
  expect(await states()).toEqual(['right 2', 'wrong 1']);
  expect([small, large, bad].map((file) => objectsOf(store, file).length)).toEqual([1, 1, 0]);
  for (const [index, file] of [small, large].entries()) {
    const assetId = assets[index]!;
    const { url } = await executor.invoke(by(scene), 'repositories_IssueAssetDownloadUrl', { assetId });
    expect(url).not.toContain('/r/assets/');
    expect((await callUrl(url)).bytes.equals(file.bytes)).toBe(true);
    const { total } = await executor.invoke(by(scene), 'repositories_GetAssetChunks', { assetId });
    expect(total).toBe(Math.ceil(file.bytes.length / 1_048_576));
  }
  expect(await states()).toEqual(['right 0', 'wrong 1']);

  await sweepStores({ executor, storages, now: () => new Date(Date.now() + 2 * 86_400_000) });
  expect((await disk.list()).map(({ key }) => key)).toEqual([await keyOf(damaged)]);
});
