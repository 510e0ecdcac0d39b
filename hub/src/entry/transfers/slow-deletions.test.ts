import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { callUrl, fileOf, type TestFile } from '../../../test/asset-scene.ts';
import { system, type HttpHub } from '../../../test/http-hub.ts';
import { recordStatements } from '../../../test/recorded-statements.ts';
import { by, doubleOfTest, objectsOf, twoHubs } from '../../../test/two-hubs.ts';
import type { Storages } from '../../domains/assets/storage/storages.ts';
import type { Executor } from '../../calls/executor.ts';
import { deleteMarkedAssets } from '../../domains/assets/jobs/collect-assets.ts';
import { RegisterClusterNode } from '../../domains/instance/internal/RegisterClusterNode.ts';
import { ExtendAssetUpload } from '../../domains/assets/internal/ExtendAssetUpload.ts';
import { LeaseMarkedAsset } from '../../domains/assets/internal/LeaseMarkedAsset.ts';

const leaseSecs = 30;

/** Two hubs with a deleted asset; the first one is a node of the cluster. */
async function deletedAsset(file: TestFile) {
  const store = await doubleOfTest();
  const node: { id?: Id<'clusterNode'> } = {};
  // Clients have no URLs of the store, which could bring the bytes back: the row goes with them.
  const settings = { ...store.settings, publicEndpoint: 'none' };
  const hubs = await twoHubs(settings, { nodeId: () => node.id });
  const { scene } = hubs;
  node.id = (await scene.hub.executor.run(system, RegisterClusterNode, {})).nodeId;
  const assetId = await scene.upload(file);
  await scene.call('repositories_DeleteAsset', { assetId });
  return { ...hubs, store, assetId };
}

/** The same, while the first hub deletes the bytes from a store that answers only when it is let. */
async function slowDeletion(file: TestFile) {
  const deleted = await deletedAsset(file);
  const { store, scene } = deleted;
  const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  store.profile.answersAfter = (method) => {
    if (method !== 'DELETE') return Promise.resolve();
    asked.resolve();
    return answers.promise;
  };
  const deletion = deleteMarkedAssets(scene.hub);
  await asked.promise;
  return { ...deleted, deletion, answers };
}

test('while a slow store deletes the bytes of an asset, its row is not locked, and no other hub deletes them', async () => {
  const { scene, hubs, assetId, deletion, answers } = await slowDeletion(fileOf(1000));
  const { db } = scene.hub.database;
  const row = await sql`select from assets for update nowait`.execute(db).catch(String);
  expect(row).toMatchObject({ rows: [{}] });
  await deleteMarkedAssets(hubs[1]);
  const found = db.selectFrom('assets').select('status').where('asset_id', '=', ids.asset.raw(assetId));
  expect(await found.execute()).toEqual([{ status: 'Deleting' }]);
  answers.resolve();
  await deletion;
  expect(await found.execute()).toEqual([]);
});

test('a user who creates the asset again meanwhile waits until its bytes are gone, and uploads new ones', async () => {
  const file = fileOf(1000);
  const { scene, store, assetId, deletion, answers } = await slowDeletion(file);
  using statements = recordStatements();
  const creating = scene.create(file);
  await expect.poll(() => statements.containing('insert into assets').length).toBeGreaterThan(1);
  answers.resolve();
  await deletion;
  const again = await creating;
  expect(again).not.toBe(assetId);
  const url = await scene.uploadUrl(again);
  expect((await callUrl(url, { method: 'PUT', body: file.bytes })).status).toBe(200);
  expect(objectsOf(store, file)).toHaveLength(1);
});

test('where that takes long, the client is told when to try again', async () => {
  const file = fileOf(1000);
  const { scene, deletion, answers } = await slowDeletion(file);
  await expect(scene.create(file)).rejects.toMatchObject({ kind: 'NotReady', retryAfterSecs: 1 });
  answers.resolve();
  await deletion;
});

test('a deletion that the store refuses ends the wait', async () => {
  const file = fileOf(1000);
  const { scene, store, assetId } = await deletedAsset(file);
  store.profile.refuses = true;
  await expect(deleteMarkedAssets(scene.hub)).rejects.toThrow('denies access');
  expect(await scene.create(file)).toBe(assetId);
});

test.each([
  ['does not answer', 'does not answer in time', false],
  ['refuses only when it is asked again', 'denies access', true],
])(
  'a store that %s may delete late, so nobody uploads the bytes again meanwhile',
  async (_, why, refuses) => {
    const file = fileOf(1000);
    const { scene, store } = await deletedAsset(file);
    const late = Promise.withResolvers<void>();
    store.profile.deletesLate = () => {
      store.profile.refuses = refuses;
      return late.promise;
    };
    await expect(deleteMarkedAssets(scene.hub)).rejects.toThrow(why);
    store.profile.refuses = false;
    await expect(scene.create(file)).rejects.toMatchObject({ kind: 'NotReady' });
    late.resolve();
    scene.hub.advance(leaseSecs + 1);
    await scene.upload(file);
    expect(objectsOf(store, file)).toHaveLength(1);
  },
);

/** Does something when the lease of the asset has begun, right before the store is asked to delete its bytes. */
const beforeDeletion = (storages: Storages, work: () => Promise<void> | void): Storages => ({
  ...storages,
  async of(storeId) {
    await work();
    return storages.of(storeId);
  },
});

function standStill(untilMs: number): void {
  vi.spyOn(performance, 'now').mockReturnValue(untilMs);
  onTestFinished(() => void vi.restoreAllMocks());
}

test('a hub that stood still before it asks the store deletes nothing: another one may have the asset by now', async () => {
  const file = fileOf(1000);
  const { scene, store, assetId } = await deletedAsset(file);
  const storages = beforeDeletion(scene.hub.storages, () => standStill(performance.now() + 31_000));
  await expect(deleteMarkedAssets({ ...scene.hub, storages })).rejects.toThrow(
    `The bytes of one asset could not be deleted, first those of ${assetId}: The hub or its database was unresponsive, so the lease on ${assetId} was lost`,
  );
  vi.restoreAllMocks();
  expect(objectsOf(store, file)).toHaveLength(1);
  scene.hub.advance(leaseSecs + 1);
  await deleteMarkedAssets(scene.hub);
  expect(objectsOf(store, file)).toEqual([]);
});

test('nobody uploads what a hub may still delete whose node has ended', async () => {
  const file = fileOf(1000);
  const { scene, hubs, store } = await deletedAsset(file);
  const { db } = scene.hub.database;
  const uploadTo = async ({ executor, url }: HttpHub, { bytes, digest }: TestFile) => {
    const { repositoryId } = scene;
    const wanted = { repositoryId, size: bytes.length, digest };
    const { assetId } = await executor.invoke(by(scene), 'repositories_CreateAsset', wanted);
    const { pathname, search } = new URL(await scene.uploadUrl(assetId));
    return (await callUrl(`${url}${pathname}${search}`, { method: 'PUT', body: bytes })).status;
  };
  let uploaded: unknown;
  const storages = beforeDeletion(scene.hub.storages, async () => {
    const leasedAtMs = performance.now();
    await sql`update cluster_nodes set lease_until = '2000-01-01'`.execute(db);
    uploaded = await uploadTo(hubs[1], file).catch((error: unknown) => error);
    standStill(leasedAtMs + 17_000);
  });
  await deleteMarkedAssets({ ...scene.hub, storages });
  vi.restoreAllMocks();
  expect(uploaded).toMatchObject({ kind: 'NotReady' });
  expect(await uploadTo(hubs[1], file)).toBe(200);
  expect(objectsOf(store, file)).toHaveLength(1);
});

test('a hub that learns that it has lost the lease deletes nothing', async () => {
  const file = fileOf(1000);
  const { scene, store } = await deletedAsset(file);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const extended = Promise.withResolvers<void>();
  const run: Executor['run'] = async (by, internal, ...input) => {
    const output = await scene.hub.executor.run(by, internal, ...input);
    if (internal.name === ExtendAssetUpload.name) setImmediate(extended.resolve);
    return output;
  };
  const storages = beforeDeletion(scene.hub.storages, async () => {
    await sql`update assets set upload_lease = '/other'`.execute(scene.hub.database.db);
    await vi.advanceTimersByTimeAsync(10_000);
    await extended.promise;
  });
  const executor = { ...scene.hub.executor, run };
  await expect(deleteMarkedAssets({ executor, storages })).rejects.toThrow('so the lease on');
  expect(objectsOf(store, file)).toHaveLength(1);
});

test('a hub that loses the lease while it waits for the store does not ask it again', async () => {
  const { scene, store } = await deletedAsset(fileOf(1000));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  store.profile.answersAfter = async (operation) => {
    if (operation !== 'DELETE') return;
    await sql`update assets set upload_lease = '/other'`.execute(scene.hub.database.db);
    await vi.advanceTimersByTimeAsync(10_000);
    await new Promise(() => undefined);
  };
  await expect(deleteMarkedAssets(scene.hub)).rejects.toThrow('so the lease on');
});

test('the lease of a deletion outlives its node also when it was extended', async () => {
  const { scene, assetId } = await deletedAsset(fileOf(1000));
  const { executor, database } = scene.hub;
  const lease = { leaseId: 'one', except: [] };
  expect(await executor.run(system, LeaseMarkedAsset, lease)).toMatchObject({ assetId });
  const extension = { assetId, leaseId: 'one' };
  expect(await executor.run(system, ExtendAssetUpload, extension)).toEqual({
    isHeld: true,
  });
  await sql`update cluster_nodes set lease_until = '2000-01-01'`.execute(database.db);
  const other = { leaseId: 'other', except: [] };
  expect(await executor.run(system, LeaseMarkedAsset, other)).toBeUndefined();
});
