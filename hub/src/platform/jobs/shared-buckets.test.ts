import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ids } from '@corral/contract';
import { expect, onTestFinished, test } from 'vitest';
import { assetScene, callUrl, fileOf, type AssetScene } from '../../../test/asset-scene.ts';
import { openStore } from '../../../test/open-store.ts';
import { etagOf, type StoredObject } from '../../../test/s3-double/objects.ts';
import { isOfAsset } from '../../../test/store-lives.ts';
import { testVault } from '../../../test/test-vault.ts';
import { appended, doubleOfTest } from '../../../test/two-hubs.ts';
import type { StoreSettings } from '../../domains/assets/storage/s3/store-settings.ts';
import type { HubDatabase } from '../../wiring/open-database.ts';
import { openStorages } from '../../wiring/open-storages.ts';
import { loadConfig } from '../../config/config.ts';
import { createLog } from '../log/log.ts';
import { collectAssets } from '../../domains/assets/jobs/collect-assets.ts';
import { sweepStores } from '../../domains/assets/jobs/sweep-stores.ts';
import { MarkStrayObject } from '../../domains/assets/internal/MarkStrayObject.ts';

interface Bucket {
  readonly scene: AssetScene;
  readonly settings: StoreSettings;
}

async function bucketOfTest(settings: StoreSettings): Promise<Bucket> {
  const scene = await assetScene();
  onTestFinished(() => scene[Symbol.asyncDispose]());
  return { scene, settings };
}

/** Sets the store of the repository, with these settings besides. */
async function set({ scene, settings }: Bucket, more: Partial<StoreSettings> = {}): Promise<void> {
  const { repositoryId } = scene;
  const s3Config = { region: 'us-east-1', ...settings, ...more };
  await scene.call('repositories_SetS3Config', { repositoryId, s3Config });
}

async function unset({ scene }: Bucket): Promise<void> {
  const { repositoryId } = scene;
  await scene.call('repositories_RemoveS3Config', { repositoryId });
}

/** Starts the hub with or without a store of the instance. */
async function startHub({ scene, settings }: Bucket, hasStore: boolean): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-shared-bucket-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const store = {
    CORRAL_S3_ENDPOINT: settings.endpoint,
    CORRAL_S3_BUCKET: settings.bucket,
    CORRAL_S3_ACCESS_KEY_ID: settings.accessKeyId,
    CORRAL_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
  const config = loadConfig({ argv: ['--data-dir', dataDir], env: hasStore ? store : {} });
  const database = { db: scene.hub.database.db } as unknown as HubDatabase;
  const log = createLog({ level: 'silent', format: 'json' });
  const { instanceStore } = await openStorages({ database, config, vault: testVault, log });
  instanceStore.stop();
}

/** Runs the nightly sweep two days from now, and deletes what it marked. */
async function sweep({ scene: { hub } }: Bucket): Promise<void> {
  const now = () => new Date(Date.now() + 2 * 86_400_000);
  await sweepStores({ executor: hub.executor, storages: hub.storages, now });
  await collectAssets(hub);
}

const localhost = ({ settings }: Bucket) => settings.endpoint.replace('127.0.0.1', 'localhost');

const ways: [string, (bucket: Bucket) => Promise<unknown>, (bucket: Bucket) => Promise<unknown>][] = [
  [
    'was taken out of the configuration for one start',
    (bucket) => startHub(bucket, true),
    async (bucket) => {
      await startHub(bucket, false);
      await startHub(bucket, true);
    },
  ],
  [
    'was removed and set again',
    set,
    async (bucket) => {
      await unset(bucket);
      await set(bucket);
    },
  ],
  ['has its endpoint in another spelling', set, (bucket) => set(bucket, { endpoint: localhost(bucket) })],
  ['got a prefix', set, (bucket) => set(bucket, { prefix: 'new' })],
  ['is also that of the instance', (bucket) => startHub(bucket, true), set],
];

for (const [what, first, then] of ways) {
  const mustLeaveAll = async (settings: StoreSettings): Promise<void> => {
    const bucket = await bucketOfTest(settings);
    const { scene } = bucket;
    const files = [fileOf(1000), fileOf(2000)] as const;
    await first(bucket);
    const assetIds = [await scene.upload(files[0])];
    await begin(scene);
    await then(bucket);
    assetIds.push(await scene.upload(files[1]));
    await begin(scene);
    const before = await keysIn(settings);
    expect(before).toHaveLength(4);

    await sweep(bucket);
    expect(await keysIn(settings)).toEqual(before);
    for (const [index, { bytes }] of files.entries()) {
      const input = { assetId: assetIds[index]! };
      const { url } = await scene.call('repositories_IssueAssetDownloadUrl', input);
      expect((await callUrl(url)).bytes.equals(bytes)).toBe(true);
    }
  };

  test(`a sweep leaves the assets and the unfinished uploads of a store that ${what}`, async () => {
    await mustLeaveAll((await doubleOfTest()).settings);
  });
}

/** Begins an upload, of which the store then has parts that are not joined. */
async function begin(scene: AssetScene): Promise<void> {
  const file = fileOf(900);
  const url = await scene.uploadUrl(await scene.create(file));
  expect(await appended(url, file, 0, 500)).toEqual([204, 500]);
}

/** The keys of the assets and of the unfinished uploads in a bucket. */
async function keysIn(settings: StoreSettings): Promise<string[]> {
  const { multipart, ...storage } = openStore(settings);
  const keys = (await storage.list()).map(({ key }) => key).filter(isOfAsset);
  for await (const { key } of multipart?.unfinished() ?? []) keys.push(`unfinished ${key}`);
  return keys.toSorted();
}

test('a store that was removed and is set again is the same one, also after another one in between', async () => {
  const bucket = await bucketOfTest((await doubleOfTest()).settings);
  const { scene } = bucket;
  const stores = async () =>
    (
      await scene.hub.database.db
        .selectFrom('object_stores')
        .select(['store_id', 'replaced_at'])
        .orderBy('created_at')
        .execute()
    ).map(({ store_id: storeId, replaced_at: replacedAt }) => [storeId, replacedAt === null]);
  await set(bucket);
  const [[first] = []] = await stores();
  await unset(bucket);
  await set(bucket);
  expect(await stores()).toEqual([[first, true]]);
  await set(bucket, { prefix: 'other' });
  const [, [other] = []] = await stores();
  await set(bucket);
  expect(await stores()).toEqual([
    [first, true],
    [other, false],
  ]);
});

test('an object is not deleted if its asset is in another store with the same key, though a listing did not show it', async () => {
  const bucket = await bucketOfTest((await doubleOfTest()).settings);
  const { scene } = bucket;
  const { db } = scene.hub.database;
  await set(bucket);
  const { store_id: storeId } = await db
    .selectFrom('object_stores')
    .select('store_id')
    .executeTakeFirstOrThrow();
  await set(bucket, { endpoint: localhost(bucket) });
  await scene.upload(fileOf(1000));
  const { storage_key: storageKey } = await db
    .selectFrom('assets')
    .select('storage_key')
    .executeTakeFirstOrThrow();
  const caller = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;
  const mark = (stray: { storeId?: string; storageKey: string }) =>
    scene.hub.executor.run(caller, MarkStrayObject, { ...stray, size: 1000, leaseId: 'l' });
  expect(await mark({ storeId, storageKey })).toEqual({});
  // What is left in the data folder has another place.
  expect(await mark({ storageKey })).toHaveProperty('leasedAssetId');
});

test('a sweep deletes only objects whose keys are those of this store', async () => {
  const store = await doubleOfTest();
  const bucket = await bucketOfTest(store.settings);
  const { scene } = bucket;
  await set(bucket);
  const keyOf = (repositoryId: string, folders?: string) => {
    const hex = fileOf(10).digest.slice('sha256_'.length);
    return `${repositoryId}/sha256/${folders ?? `${hex.slice(0, 2)}/${hex.slice(2, 4)}`}/${hex}`;
  };
  const own = ids.repository.raw(scene.repositoryId);
  const probe = `.corral-probe/${'0'.repeat(16)}/right`;
  const left = [keyOf(own), probe];
  // Of another hub below a prefix of the bucket, of another repository, and beside the folders of its digest.
  const others = [`hub-b/${keyOf(own)}`, `hub-b/${probe}`, keyOf('another'), keyOf(own, 'xx/xx')];
  const bytes = Buffer.from('left');
  const object: StoredObject = {
    bytes,
    metadata: {},
    checksum: undefined,
    etag: etagOf(bytes),
    modifiedAt: new Date(),
  };
  for (const key of [...left, ...others]) store.objects.set(key, object);
  await sweep(bucket);
  expect([...store.objects.keys()].toSorted()).toEqual(others.toSorted());
});
