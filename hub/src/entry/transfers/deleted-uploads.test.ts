import type { Id } from '@corral/contract';
import { expect, test } from 'vitest';
import { callUrl, fileOf, sceneOfTest, type AssetScene, type TestFile } from '../../../test/asset-scene.ts';
import { doubleOfTest, objectsOf } from '../../../test/two-hubs.ts';
import { collectAssets } from '../../domains/assets/jobs/collect-assets.ts';

/** A repository in a store, with the quota of one asset. */
async function sceneWithQuota() {
  const [scene, store] = [await sceneOfTest(), await doubleOfTest()];
  await scene.useStore(store);
  await scene.hub.database.db.updateTable('repositories').set({ max_assets: 1 }).execute();
  return { scene, store };
}

/** Issues a URL of the store itself, and resolves with what uploads there. */
async function directUpload(scene: AssetScene, assetId: Id<'asset'>, { bytes }: TestFile) {
  const issued = await scene.call('repositories_IssueAssetUploadUrl', { assetId });
  const { verifiedUrl = '', headers = {} } = issued;
  return async () => (await callUrl(verifiedUrl, { method: 'PUT', headers, body: bytes })).status;
}

test('a deleted asset keeps its place in the quota until no URL can bring its bytes back, which are then deleted again', async () => {
  const { scene, store } = await sceneWithQuota();
  const file = fileOf(1000);
  const assetId = await scene.create(file);
  const upload = await directUpload(scene, assetId, file);
  expect(await upload()).toBe(200);
  await scene.call('repositories_DeleteAsset', { assetId });
  await collectAssets(scene.hub);
  expect(objectsOf(store, file)).toEqual([]);
  expect(await upload()).toBe(200);
  await collectAssets(scene.hub);
  await expect(scene.create(fileOf(10))).rejects.toThrow(/at most 1 asset/);

  scene.hub.advance(3700);
  await collectAssets(scene.hub);
  expect(objectsOf(store, file)).toEqual([]);
  expect(await scene.create(fileOf(10))).not.toBe(assetId);
});

test('an asset that is created again meanwhile is uploaded at once', async () => {
  const { scene, store } = await sceneWithQuota();
  const file = fileOf(1000);
  const assetId = await scene.create(file);
  expect(await (await directUpload(scene, assetId, file))()).toBe(200);
  await scene.call('repositories_DeleteAsset', { assetId });
  await collectAssets(scene.hub);
  expect(await scene.create(file)).toBe(assetId);
  expect(await (await directUpload(scene, assetId, file))()).toBe(200);
  await scene.call('repositories_FinalizeAssetUpload', { assetId });
  scene.hub.advance(3700);
  await collectAssets(scene.hub);
  await scene.mustServe(assetId, file);
  expect(objectsOf(store, file)).toHaveLength(1);
});
