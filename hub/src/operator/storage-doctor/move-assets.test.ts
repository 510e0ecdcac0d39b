import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ids, type Id } from '@corral/contract';
import { expect, test } from 'vitest';
import { fileOf, folderScene } from '../../../test/asset-scene.ts';
import { doubleOfTest, objectsOf } from '../../../test/two-hubs.ts';
import { sweepStores } from '../../domains/assets/jobs/sweep-stores.ts';
import { moveAssets } from './move-assets.ts';

const silent = { step: () => undefined, add: () => undefined, end: () => undefined };

test('moves the assets of the data folder to the object store, except damaged ones, and continues after an interruption', async () => {
  await using scene = await folderScene();
  const { folder } = scene;
  const { executor, storages, database } = scene.hub;
  const { db } = database;
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
  await scene.useStore(store);
  expect(await states()).toEqual(['right 2', 'wrong 1']);
  expect([small, large, bad].map((file) => objectsOf(store, file).length)).toEqual([1, 1, 0]);
  for (const [index, file] of [small, large].entries()) {
    await scene.mustServe(assets[index]!, file);
  }
  expect(await states()).toEqual(['right 0', 'wrong 1']);

  await sweepStores({ executor, storages, now: () => new Date(Date.now() + 2 * 86_400_000) });
  expect((await storages.disk.list()).map(({ key }) => key)).toEqual([await keyOf(damaged)]);
});
