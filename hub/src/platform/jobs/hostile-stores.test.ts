import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { assetScene, fileOf, type AssetScene } from '../../../test/asset-scene.ts';
import { hostileStore } from '../../../test/hostile-store.ts';
import { storagesOf } from '../../../test/test-storages.ts';
import { by, doubleOfTest } from '../../../test/two-hubs.ts';
import type { S3Double } from '../../../test/s3-double/s3-double.ts';
import type { StoreLimits } from '../../domains/assets/storage/s3/store-limits.ts';
import type { StoreSettings } from '../../domains/assets/storage/s3/store-settings.ts';
import { newProbeFolder } from '../../domains/assets/storage/probe-objects.ts';
import { scrubAssets } from '../../domains/assets/jobs/scrub-assets.ts';
import { sweepStores } from '../../domains/assets/jobs/sweep-stores.ts';

async function sceneOfTest(): Promise<AssetScene> {
  const scene = await assetScene();
  onTestFinished(() => scene[Symbol.asyncDispose]());
  return scene;
}

/** Has the repository use a store for what is uploaded from now on. */
async function use(scene: AssetScene, settings: StoreSettings): Promise<void> {
  const { repositoryId, hub } = scene;
  const s3Config = { region: 'us-east-1', ...settings };
  await hub.executor.invoke(by(scene), 'repositories_SetS3Config', { repositoryId, s3Config });
}

const listOf = (contents: string) => `<ListBucketResult>${contents}</ListBucketResult>`;
const uploadsOf = (uploads: string) =>
  `<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>k</NextKeyMarker>${uploads}</ListMultipartUploadsResult>`;
const old = '2020-01-01T00:00:00Z';

/** How a store may keep a sweep busy. */
const lists: Record<string, (response: ServerResponse, isOfUploads: boolean, count: number) => unknown> = {
  'never ends its list of objects': (response, _isOfUploads, count) =>
    response.end(
      listOf(
        `<Contents><Key>${String(count).padStart(9, '0')}</Key><LastModified>${old}</LastModified><Size>1</Size></Contents>`,
      ),
    ),
  'never ends its list of uploads': (response, isOfUploads) =>
    response.end(
      isOfUploads
        ? uploadsOf(
            `<Upload><Key>k</Key><UploadId>u</UploadId><Initiated>${old}</Initiated></Upload>`.repeat(1000),
          )
        : listOf(''),
    ),
  'lists no uploads again and again': (response, isOfUploads) =>
    response.end(isOfUploads ? uploadsOf('') : listOf('')),
  'does not answer': () => undefined,
};

test.each(Object.entries(lists))(
  'a store that %s does not keep others from being swept',
  async (_how, list) => {
    const scene = await sceneOfTest();
    let count = 0;
    const hostile = await hostileStore((request, response) => {
      if (request.method !== 'GET') return void response.writeHead(500).end();
      list(response, request.url?.includes('uploads') === true, (count += 1));
    });
    const good = await doubleOfTest();
    // Stores are listed in the order in which they were set.
    await use(scene, hostile.settings);
    await use(scene, good.settings);
    const object = {
      bytes: Buffer.alloc(1),
      metadata: {},
      checksum: undefined,
      etag: 'x',
      modifiedAt: new Date(old),
    };
    good.objects.set(`${newProbeFolder('')}/right`, object);
    const ending = new AbortController();
    const { executor, database } = scene.hub;
    const storages = storagesOf(database.db, { storeLimits: { answerMs: 200 } });
    const swept = sweepStores({ executor, storages, now: () => new Date(), ending: ending.signal });
    swept.catch(() => undefined);
    await expect.poll(() => good.objects.size, { timeout: 8_000 }).toBe(0);
    ending.abort();
    await swept.catch((error: unknown) => expect(String(error)).toMatch(/does not answer in time/));
  },
);

/** A hub with an asset in a store that trickles, and the run of a scrub. */
async function slowScene(storeLimits: Partial<StoreLimits>) {
  const scene = await sceneOfTest();
  const { executor, database } = scene.hub;
  const store = await doubleOfTest({ reportsChecksum: false });
  await use(scene, store.settings);
  const assetId = await scene.upload(fileOf(1_100_000));
  await database.db.updateTable('assets').set({ storage_checked_at: null }).execute();
  const storages = storagesOf(database.db, { storeLimits });
  const scrub = (ending?: AbortSignal) =>
    scrubAssets({ executor, storages, maxBytes: 1e9, ...(ending === undefined ? {} : { ending }) });
  return { scene, store, assetId, scrub };
}

const asked = ({ requests }: S3Double) => requests.filter((line) => line.startsWith('HEAD')).length;

test('an asset whose store is too slow is recorded as not checked, and the others are checked', async () => {
  const { scene, store, assetId, scrub } = await slowScene({ checkPace: { graceMs: 100, bytesPerSec: 1e6 } });
  const other = await doubleOfTest({ reportsChecksum: false });
  await use(scene, other.settings);
  const read = await scene.upload(fileOf(1_200_000));
  const { db } = scene.hub.database;
  await db.updateTable('assets').set({ storage_checked_at: null }).execute();
  store.profile.trickles = true;
  await expect(scrub()).rejects.toThrow(/The store sends the bytes of the asset too slowly/);
  expect((await scene.details(assetId)).storage?.status).toBe('Error');
  expect((await scene.details(read)).storage).toMatchObject({
    status: 'Verified',
    checkedAt: expect.anything(),
  });
});

test('a run that is to end does not wait for a slow store, and records nothing about its asset', async () => {
  const { scene, store, assetId, scrub } = await slowScene({});
  store.profile.trickles = true;
  const before = asked(store);
  const ending = new AbortController();
  const run = scrub(ending.signal);
  await expect.poll(() => asked(store)).toBeGreaterThan(before);
  ending.abort();
  await run;
  expect((await scene.details(assetId)).storage?.status).toBe('Verified');
});
