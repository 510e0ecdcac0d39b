import type { Id } from '@corral/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assetScene, callUrl, fileOf, type AssetScene, type TestFile } from '../../test/asset-scene.ts';
import { s3Double, type S3Double } from '../../test/s3-double/s3-double.ts';
import { storagesOf } from '../../test/test-storages.ts';
import { scrubAssets } from '../jobs/scrub-assets.ts';

let store: S3Double;
let scene: AssetScene;
beforeEach(async () => {
  store = await s3Double();
  store.profile.reportsChecksum = false;
  scene = await assetScene();
});
afterEach(async () => {
  await scene[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const invoke: AssetScene['hub']['executor']['invoke'] = (...args) => scene.hub.executor.invoke(...args);
const owner = () => ({ actor: scene.owner, origin: {} });

async function useStore(more: { readonly prefix?: string; readonly trustsSize?: boolean }): Promise<void> {
  const s3Config = { region: 'us-east-1', ...store.settings, ...more };
  await invoke(owner(), 'repositories_SetS3Config', { repositoryId: scene.repositoryId, s3Config });
  store.requests.length = 0;
}

/** Uploads a file to the store itself, and finalizes it. */
async function uploadDirectly(file: TestFile): Promise<Id<'asset'>> {
  const assetId = await scene.create(file);
  const { verifiedUrl = '', headers = {} } = await invoke(owner(), 'repositories_IssueAssetUploadUrl', {
    assetId,
  });
  expect((await callUrl(verifiedUrl, { method: 'PUT', headers, body: file.bytes })).status).toBe(200);
  await invoke(owner(), 'repositories_FinalizeAssetUpload', { assetId });
  return assetId;
}

const scrub = () =>
  scrubAssets({
    executor: scene.hub.executor,
    storages: storagesOf(scene.hub.database.db),
    maxBytes: 1e9,
  });
const statusOf = async (assetId: Id<'asset'>) => (await scene.details(assetId)).storage?.status;
/** The requests that read an object with this prefix. */
const reads = (prefix = '') =>
  store.requests.filter(
    (line) => line.startsWith(`GET /${store.settings.bucket}/${prefix}`) && line.includes('/sha256/'),
  );

test('a store that tells no digest is read after an upload, unless its owner trusts the size', async () => {
  await useStore({});
  expect(await statusOf(await uploadDirectly(fileOf(1000)))).toBe('Verified');
  expect(reads()).toHaveLength(1);

  // Another place, since the settings of a store in use are read again only after some seconds.
  await useStore({ prefix: 'by-size', trustsSize: true });
  const assetId = await uploadDirectly(fileOf(2000));
  expect(await statusOf(assetId)).toBe('Present');
  scene.hub.advance(2 * 86_400);
  await scrub();
  expect(await statusOf(assetId)).toBe('Present');
  expect(reads('by-size/')).toEqual([]);
  const stored = await invoke(owner(), 'repositories_GetObjectStore', { repositoryId: scene.repositoryId });
  expect(stored.s3Config).toMatchObject({ trustsSize: true });
});

test('the size alone finds what is missing or too short, and does not clear what was found to be other bytes', async () => {
  await useStore({ trustsSize: true });
  const [short, other] = [await uploadDirectly(fileOf(1000)), await uploadDirectly(fileOf(2000))];
  for (const [key, object] of store.objects)
    if (object.bytes.length === 1000) store.objects.set(key, { ...object, bytes: object.bytes.subarray(1) });
  const report = { assetId: other, storageStatus: 'Mismatched', detail: 'It was read.' } as const;
  await invoke(
    { actor: { actor: 'System', kind: 'System' }, origin: {} },
    'repositories_ReportAssetCheck',
    report,
  );
  scene.hub.advance(2 * 86_400);
  await scrub();
  expect([await statusOf(short), await statusOf(other)]).toEqual(['Mismatched', 'Mismatched']);
  expect((await scene.details(other)).storage?.detail).toBe('It was read.');
});
