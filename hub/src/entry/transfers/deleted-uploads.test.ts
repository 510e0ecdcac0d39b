import type { Id } from '@corral/contract';
import { expect, onTestFinished, test } from 'vitest';
import { assetScene, callUrl, fileOf, type AssetScene, type TestFile } from '../../../test/asset-scene.ts';
import { by, doubleOfTest, mustBeServed, objectsOf } from '../../../test/two-hubs.ts';
import { collectAssets } from '../../domains/assets/jobs/collect-assets.ts';

/** A repository in a store, with the quota of one asset. */
async function sceneWithQuota() {
  const [scene, store] = [await assetScene(), await doubleOfTest()];
  onTestFinished(() => scene[Symbol.asyncDispose]());
  const { repositoryId, hub } = scene;
  const s3Config = { region: 'us-east-1', ...store.settings };
  await hub.executor.invoke(by(scene), 'repositories_SetS3Config', { repositoryId, s3Config });
  await hub.database.db.updateTable('repositories').set({ max_assets: 1 }).execute();
  return { scene, store };
}

/** Issues a URL of the store itself, and resolves with what uploads there. */
async function directUpload(scene: AssetScene, assetId: Id<'asset'>, { bytes }: TestFile) {
  const input = { assetId };
  const issued = await scene.hub.executor.invoke(by(scene), 'repositories_IssueAssetUploadUrl', input);
  const { verifiedUrl = '', headers = {} } = issued;
  return async () => (await callUrl(verifiedUrl, { method: 'PUT', headers, body: bytes })).status;
}

const remove = (scene: AssetScene, assetId: Id<'asset'>) =>
  scene.hub.executor.invoke(by(scene), 'repositories_DeleteAsset', { assetId });

test('a deleted asset keeps its place in the quota until no URL can bring its bytes back, which are then deleted again', async () => {
  const { scene, store } = await sceneWithQuota();
  const file = fileOf(1000);
  const assetId = await scene.create(file);
  const upload = await directUpload(scene, assetId, file);
  expect(await upload()).toBe(200);
  await remove(scene, assetId);
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
  await remove(scene, assetId);
  await collectAssets(scene.hub);
  expect(await scene.create(file)).toBe(assetId);
  expect(await (await directUpload(scene, assetId, file))()).toBe(200);
  await scene.hub.executor.invoke(by(scene), 'repositories_FinalizeAssetUpload', { assetId });
  scene.hub.advance(3700);
  await collectAssets(scene.hub);
  await mustBeServed(scene, assetId, file);
  expect(objectsOf(store, file)).toHaveLength(1);
});
