import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { fileOf, put, sceneOfTest, type TestFile } from '../../../test/asset-scene.ts';
import { appended, doubleOfTest, objectsOf } from '../../../test/two-hubs.ts';
import { collectAssets } from '../../domains/assets/jobs/collect-assets.ts';
import { uploadPartBytes } from '../../domains/assets/storage/upload-parts.ts';

const statusOf = async (url: string, file: TestFile) => (await put(url, file)).status;

test('an asset whose upload failed at a wrong store goes to the corrected one when it is created again', async () => {
  const scene = await sceneOfTest();
  const [wrong, right] = [await doubleOfTest(), await doubleOfTest()];
  const [small, large] = [fileOf(1000), fileOf(uploadPartBytes + 1000)];
  await scene.useStore(wrong);
  const [smallId, largeId] = [await scene.create(small), await scene.create(large)];
  const largeUrl = await scene.uploadUrl(largeId);
  expect(await appended(largeUrl, large, 0, uploadPartBytes)).toEqual([204, uploadPartBytes]);
  wrong.profile.refuses = true;
  expect(await statusOf(await scene.uploadUrl(smallId), small)).toBe(502);

  await scene.useStore(right);
  expect([await scene.create(small), await scene.create(large)]).toEqual([smallId, largeId]);
  expect(await statusOf(await scene.uploadUrl(smallId), small)).toBe(200);
  await scene.mustServe(smallId, small);
  expect(await appended(largeUrl, large, 0, large.bytes.length)).toEqual([204, large.bytes.length]);
  await scene.mustServe(largeId, large);
  expect([small, large].map((file) => objectsOf(right, file).length)).toEqual([1, 1]);
});

test('an asset that a wrong store would not delete goes to the corrected one when it is created again', async () => {
  const scene = await sceneOfTest();
  const [wrong, right] = [await doubleOfTest(), await doubleOfTest()];
  const file = fileOf(1000);
  await scene.useStore(wrong);
  const assetId = await scene.create(file);
  await scene.call('repositories_DeleteAsset', { assetId });
  wrong.profile.refuses = true;
  await expect(collectAssets(scene.hub)).rejects.toThrow(/could not be deleted/);
  await scene.useStore(right);
  expect(await scene.create(file)).toBe(assetId);
  expect(await statusOf(await scene.uploadUrl(assetId), file)).toBe(200);
  await scene.mustServe(assetId, file);
  expect(objectsOf(right, file)).toHaveLength(1);
});

test('an upload that runs while the store is changed ends in the old one, also if its lease had ended', async () => {
  const scene = await sceneOfTest();
  const [before, after] = [await doubleOfTest(), await doubleOfTest()];
  for (const hasEnded of [false, true]) {
    const file = fileOf(1000);
    await scene.useStore(before);
    const assetId = await scene.create(file);
    const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    before.profile.storesAfter = () => (begun.resolve(), goesOn.promise);
    const upload = statusOf(await scene.uploadUrl(assetId), file);
    await begun.promise;
    await scene.useStore(after);
    if (hasEnded)
      await sql`update assets set upload_lease = null, upload_lease_ends_at = null`.execute(
        scene.hub.database.db,
      );
    expect(await scene.create(file)).toBe(assetId);
    goesOn.resolve();
    expect(await upload).toBe(200);
    await scene.mustServe(assetId, file);
    expect([objectsOf(before, file).length, objectsOf(after, file).length]).toEqual([1, 0]);
  }
});

test('a whole asset stays in its store when it is created again', async () => {
  const scene = await sceneOfTest();
  const [before, after] = [await doubleOfTest(), await doubleOfTest()];
  const file = fileOf(1000);
  await scene.useStore(before);
  const assetId = await scene.upload(file);
  await scene.useStore(after);
  expect(await scene.create(file)).toBe(assetId);
  const url = await scene.uploadUrl(assetId);
  expect(await appended(url, file, 1000, 1000)).toEqual([204, 1000]);
  await scene.mustServe(assetId, file);
  expect([objectsOf(before, file).length, objectsOf(after, file).length]).toEqual([1, 0]);
});
