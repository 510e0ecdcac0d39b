import { join } from 'node:path';
import type { Id } from '@corral/contract';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import {
  callUrl,
  fileOf,
  folderScene,
  offsetOf,
  put,
  type AssetScene,
  type TestFile,
} from '../../../test/asset-scene.ts';
import { httpHub, type HttpHub } from '../../../test/http-hub.ts';
import { inPieces } from '../../../test/stored-bytes.ts';
import { storagesOf } from '../../../test/test-storages.ts';
import { appended, by, doubleOfTest, objectsOf } from '../../../test/two-hubs.ts';
import { createDiskStorage } from '../../domains/assets/storage/disk/disk-storage.ts';
import type { Storages } from '../../domains/assets/storage/storages.ts';
import { sweepStores } from '../../domains/assets/jobs/sweep-stores.ts';
import { ReportAssetCheck } from '../../domains/assets/internal/ReportAssetCheck.ts';

/** A hub that was alone, and two nodes of the cluster that it became: one with its data folder, one with an empty one. */
async function grownCluster() {
  const scene = await folderScene();
  const { database } = scene.hub;
  const nodeOf = async (folder: string) => {
    const storages = storagesOf(database.db, { disk: createDiskStorage(folder), mayKeepOnDisk: false });
    return { storages, hub: await httpHub({ database, storages }) };
  };
  const empty = join(scene.folder, 'empty');
  const nodes = { old: await nodeOf(scene.folder), empty: await nodeOf(empty) };
  onTestFinished(async () => {
    for (const hub of [nodes.old.hub, nodes.empty.hub, scene]) await hub[Symbol.asyncDispose]();
  });
  const files = async (name: 'old' | 'empty'): Promise<number> =>
    name === 'old' ? scene.objects().length : (await nodes.empty.storages.disk.list()).length;
  return { scene, nodes, files };
}

async function setStore(scene: AssetScene): Promise<Awaited<ReturnType<typeof doubleOfTest>>> {
  const store = await doubleOfTest();
  await scene.useStore(store);
  return store;
}

/** A signed URL at a node. */
const at = ({ hub }: { hub: HttpHub }, url: string): string => url.replace(/^https?:\/\/[^/]+/, hub.url);

async function putAt(scene: AssetScene, node: { hub: HttpHub }, assetId: Id<'asset'>, { bytes }: TestFile) {
  const answer = await put(at(node, await scene.uploadUrl(assetId)), { bytes });
  return [answer.status, answer.status === 200 ? '' : String(answer.bytes)] as const;
}

test('a node without the data folder neither serves its assets nor calls them missing', async () => {
  const { scene, nodes } = await grownCluster();
  const [small, large] = [fileOf(1000), fileOf(300_000)];
  for (const file of [small, large]) {
    const assetId = await scene.upload(file);
    const url = await scene.downloadUrl(assetId);
    const { status, headers, bytes } = await callUrl(at(nodes.empty, url));
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(String(bytes)).toContain('are in the data folder of another node of the cluster');
    expect(await scene.stateOf(assetId)).toBe('Available Verified');
    expect((await callUrl(at(nodes.old, url))).bytes.equals(file.bytes)).toBe(true);
  }
});

test('a cluster without an object store refuses what would be in the data folder of one node', async () => {
  const { scene, nodes, files } = await grownCluster();
  const [known, whole] = [fileOf(1000), fileOf(2000)];
  const [dangling, available] = [await scene.create(known), await scene.upload(whole)];
  const refused = [400, expect.stringContaining('so assets need an object store')];
  expect(await putAt(scene, nodes.empty, dangling, known)).toEqual(refused);
  // The lease has ended.
  expect(await putAt(scene, nodes.empty, dangling, known)).toEqual(refused);
  for (const node of [nodes.empty, nodes.old])
    expect(await putAt(scene, node, available, whole)).toEqual([200, '']);
  expect(await files('empty')).toBe(0);
  expect(await scene.stateOf(available)).toBe('Available Verified');
});

test('an asset that is whole in the data folder of another node stays there when it is uploaded again', async () => {
  const { scene, nodes, files } = await grownCluster();
  const file = fileOf(3_000_000);
  const assetId = await scene.upload(file);
  const store = await setStore(scene);
  expect((await putAt(scene, nodes.empty, assetId, fileOf(3_000_000)))[0]).toBe(422);
  expect(await putAt(scene, nodes.empty, assetId, file)).toEqual([200, '']);
  expect([objectsOf(store, file), await scene.stateOf(assetId)]).toEqual([[], 'Available Verified']);
  expect([await files('old'), await files('empty')]).toEqual([1, 0]);
});

test('a damaged one, and one that was never uploaded, go to the object store also through the node of the data folder, in parts', async () => {
  const { scene, nodes, files } = await grownCluster();
  const [damaged, waiting] = [fileOf(2_500_000), fileOf(1_000)];
  const assetId = await scene.upload(damaged);
  const danglingId = await scene.create(waiting);
  const store = await setStore(scene);
  const found = { assetId, storageStatus: 'Mismatched' } as const;
  const system = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;
  await scene.hub.executor.run(system, ReportAssetCheck, found);

  const url = await scene.uploadUrl(assetId);
  expect(await appended(at(nodes.old, url), damaged, 0, 1_000_000)).toEqual([204, 1_000_000]);
  // The bytes of an incomplete part are at the node that has received them.
  expect(await offsetOf(at(nodes.empty, url))).toBe(0);
  expect(await appended(at(nodes.empty, url), damaged, 0, 2_500_000)).toEqual([204, 2_500_000]);
  expect(await scene.stateOf(assetId)).toBe('Available Verified');
  await scene.mustServe(assetId, damaged);

  expect(await putAt(scene, nodes.old, danglingId, waiting)).toEqual([200, '']);
  await scene.mustServe(danglingId, waiting);
  expect([objectsOf(store, waiting).length, await files('old')]).toEqual([1, 1]);
});

test('an asset of the data folder that was deleted and is created again is uploaded to the object store', async () => {
  const { scene, nodes, files } = await grownCluster();
  const file = fileOf(1000);
  const assetId = await scene.upload(file);
  const store = await setStore(scene);
  const { executor } = nodes.empty.hub;
  await executor.invoke(by(scene), 'repositories_DeleteAsset', { assetId });
  const input = { repositoryId: scene.repositoryId, size: 1000, digest: file.digest };
  const created = await executor.invoke(by(scene), 'repositories_CreateAsset', input);
  expect(created.result).toBe('Created');
  const { assetId: createdId } = created;
  const { url } = await executor.invoke(by(scene), 'repositories_IssueAssetUploadUrl', {
    assetId: createdId,
  });
  expect((await callUrl(at(nodes.old, url), { method: 'PUT', body: file.bytes })).status).toBe(200);
  expect(objectsOf(store, file)).toHaveLength(1);
  expect(await files('empty')).toBe(0);
});

test('while a slow store deletes what is left of an asset, its row is not locked, and no upload brings it back meanwhile', async () => {
  const { scene, nodes } = await grownCluster();
  const { executor, database } = scene.hub;
  const file = fileOf(1000);
  const assetId = await scene.upload(file);
  const store = await setStore(scene);
  await leaveInStore(nodes.empty, scene, file);
  const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  store.profile.answersAfter = (method) => {
    if (method !== 'DELETE') return Promise.resolve();
    asked.resolve();
    return answers.promise;
  };
  const now = () => new Date(Date.now() + 2 * 86_400_000);
  const sweep = sweepStores({ ...nodes.empty, executor, now });
  await asked.promise;
  const row = await sql`select from assets for update nowait`.execute(database.db).catch(String);
  expect(row).toMatchObject({ rows: [{}] });
  // It is compared with what the other node has, but not stored.
  expect(await putAt(scene, nodes.empty, assetId, file)).toEqual([200, '']);
  expect(objectsOf(store, file)).toEqual([]);
  await expect(executor.invoke(by(scene), 'repositories_DeleteAsset', { assetId })).rejects.toThrow(
    'try again when that has ended',
  );
  answers.resolve();
  await sweep;
  expect(objectsOf(store, file)).toEqual([]);
  expect(await scene.stateOf(assetId)).toBe('Available Verified');
});

test('a sweep says why a store did not delete what is left of an asset, also if the lease cannot be ended', async () => {
  const { scene, nodes } = await grownCluster();
  const { executor, database } = scene.hub;
  const file = fileOf(1000);
  await scene.upload(file);
  const store = await setStore(scene);
  await leaveInStore(nodes.empty, scene, file);
  await sql`create function refuse_release() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
    database.db,
  );
  await sql`create trigger refuse_release before update on assets for each row when (new.upload_lease is null)
    execute function refuse_release()`.execute(database.db);
  onTestFinished(async () => void (await sql`drop function refuse_release cascade`.execute(database.db)));
  const { storages } = nodes.empty;
  const untilDeletion = async (storeId: string | null) => {
    const storage = await storages.of(storeId);
    const fail = () => (store.profile.refuses = true);
    return { ...storage, delete: async (key: string) => (fail(), storage.delete(key)) };
  };
  const now = () => new Date(Date.now() + 2 * 86_400_000);
  const failing = { ...storages, of: untilDeletion };
  await expect(sweepStores({ storages: failing, executor, now })).rejects.toThrow(
    /^The store .* denies access/,
  );
  expect(objectsOf(store, file)).toHaveLength(1);
});

/** Writes a file into the store of the repository, as if its asset had been there before. */
async function leaveInStore(
  { storages }: { storages: Storages },
  { hub }: AssetScene,
  { bytes, digest }: TestFile,
) {
  const { db } = hub.database;
  const { store_id: storeId } = await db
    .selectFrom('object_stores')
    .select('store_id')
    .executeTakeFirstOrThrow();
  const { storage_key: key } = await db.selectFrom('assets').select('storage_key').executeTakeFirstOrThrow();
  const expected = { sizeBytes: bytes.length, digest: Buffer.from(digest.slice('sha256_'.length), 'hex') };
  const options = { signal: AbortSignal.timeout(60_000), assetId: 'left' };
  await (await storages.of(storeId)).write(key, inPieces(bytes), expected, options);
}
