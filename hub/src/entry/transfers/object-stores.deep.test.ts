import { expect, test } from 'vitest';
import { callUrl, fileOf, sceneOfTest, type AssetScene, type TestFile } from '../../../test/asset-scene.ts';
import { s3Server } from '../../../test/s3-server.ts';
import { scrubAssets } from '../../domains/assets/jobs/scrub-assets.ts';
import { collectAssets } from '../../domains/assets/jobs/collect-assets.ts';
import { sweepStores } from '../../domains/assets/jobs/sweep-stores.ts';
import { storagesOf } from '../../../test/test-storages.ts';

/** A repository whose assets are in a bucket of a real server. */
async function s3Scene(context: Parameters<typeof s3Server>[0]): Promise<AssetScene> {
  const settings = await (await s3Server(context)).bucket();
  const scene = await sceneOfTest();
  await scene.useStore({ settings });
  return scene;
}

async function issue(scene: AssetScene, file: TestFile) {
  const { assetId, url: hubUrl } = await scene.begin(file);
  return { ...(await scene.call('repositories_IssueAssetUploadUrl', { assetId })), assetId, hubUrl };
}

test('[needs Go] clients of every generation upload to a repository with an object store', async (context) => {
  const scene = await s3Scene(context);
  const [bare, verified] = [fileOf(3_000_000), fileOf(200_000)];
  const first = await issue(scene, bare);
  expect((await callUrl(first.hubUrl, { method: 'PUT', body: bare.bytes })).status).toBe(200);
  expect((await scene.details(first.assetId)).status).toBe('Available');

  const second = await issue(scene, verified);
  expect(second.verifiedUrl).not.toContain('/r/assets/');
  const put = { method: 'PUT', headers: second.headers ?? {}, body: fileOf(200_000).bytes };
  expect((await callUrl(second.verifiedUrl ?? '', put)).status).toBeGreaterThanOrEqual(400);
  const finalize = () => scene.call('repositories_FinalizeAssetUpload', { assetId: second.assetId });
  await expect(finalize()).rejects.toThrow(/have not been uploaded yet/);
  expect((await callUrl(second.verifiedUrl ?? '', { ...put, body: verified.bytes })).status).toBe(200);
  await finalize();
  await finalize();
  expect(await scene.details(second.assetId)).toMatchObject({
    status: 'Available',
    storage: { status: 'Verified' },
  });
  for (const [assetId, file] of [
    [first.assetId, bare],
    [second.assetId, verified],
  ] as const) {
    const input = { assetId, filename: 'it is.bin' };
    const answer = await callUrl((await scene.call('repositories_IssueAssetDownloadUrl', input)).url);
    expect([answer.status, answer.bytes.equals(file.bytes)]).toEqual([200, true]);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="it is.bin"');
  }
  const again = await callUrl(second.hubUrl, { method: 'PUT', body: verified.bytes });
  expect(again.status).toBe(200);
});

test('[needs Go] wrong bytes never reach the object store, and its objects are checked, swept and collected', async (context) => {
  const scene = await s3Scene(context);
  const { executor, database, advance } = scene.hub;
  const storages = storagesOf(database.db);
  const file = fileOf(300_000);
  const { assetId, hubUrl } = await issue(scene, file);
  expect((await callUrl(hubUrl, { method: 'PUT', body: fileOf(300_000).bytes })).status).toBe(422);
  const [row] = await database.db.selectFrom('assets').selectAll().execute();
  const storage = await storages.of(row?.store_id ?? null);
  expect(await storage.stat(row?.storage_key ?? '')).toBeUndefined();
  await callUrl(hubUrl, { method: 'PUT', body: file.bytes });
  await storage.delete(row?.storage_key ?? '');
  advance(2 * 86_400);
  await scrubAssets({ executor, storages, maxBytes: 1e9 });
  expect((await scene.details(assetId)).storage?.status).toBe('Missing');
  await scene.upload(file);
  expect((await scene.details(assetId)).storage?.status).toBe('Verified');
  await sweepStores({ executor, storages, now: () => new Date(Date.now() + 2 * 86_400_000) });
  expect(await storage.stat(row?.storage_key ?? '')).toMatchObject({ sizeBytes: 300_000 });
  advance(2 * 86_400);
  await collectAssets(scene.hub);
  expect(await storage.stat(row?.storage_key ?? '')).toBeUndefined();
});
