import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { callUrl, fileOf, type TestFile } from '../../test/asset-scene.ts';
import { recordStatements } from '../../test/recorded-statements.ts';
import { by, doubleOfTest, objectsOf, twoHubs } from '../../test/two-hubs.ts';
import { deleteMarkedAssets } from '../jobs/collect-assets.ts';

/** Two hubs with a deleted asset, whose bytes the first hub deletes from a store that answers only when it is let. */
async function slowDeletion(file: TestFile) {
  const store = await doubleOfTest();
  const hubs = await twoHubs(store.settings);
  const { scene } = hubs;
  const assetId = await scene.upload(file);
  await scene.hub.executor.invoke(by(scene), 'repositories_DeleteAsset', { assetId });
  const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  store.profile.answersAfter = (method) => {
    if (method !== 'DELETE') return Promise.resolve();
    asked.resolve();
    return answers.promise;
  };
  const deletion = deleteMarkedAssets(scene.hub);
  await asked.promise;
  return { ...hubs, store, assetId, deletion, answers };
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

test('whoever creates the asset again meanwhile waits until its bytes are gone, and uploads new ones', async () => {
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

test('where that takes long, the client is told when to try again; a deletion that the store refuses ends the wait', async () => {
  const file = fileOf(1000);
  const { scene, store, assetId, deletion, answers } = await slowDeletion(file);
  await expect(scene.create(file)).rejects.toMatchObject({ kind: 'NotReady', retryAfterSecs: 1 });
  store.profile.refuses = true;
  answers.reject(new Error('The connection breaks.'));
  await expect(deletion).rejects.toThrow(`first those of ${assetId}`);
  expect(await scene.create(file)).toBe(assetId);
});

test('a hub that stood still before it asks the store deletes nothing: another one may have the asset by now', async () => {
  const file = fileOf(1000);
  const store = await doubleOfTest();
  const { scene } = await twoHubs(store.settings);
  const assetId = await scene.upload(file);
  await scene.hub.executor.invoke(by(scene), 'repositories_DeleteAsset', { assetId });
  const { storages } = scene.hub;
  const stoodStill = {
    ...scene.hub,
    storages: {
      ...storages,
      of(storeId: string | null) {
        const later = performance.now() + 31_000;
        vi.spyOn(performance, 'now').mockReturnValue(later);
        return storages.of(storeId);
      },
    },
  };
  await expect(deleteMarkedAssets(stoodStill)).rejects.toThrow('The lease of the asset has ended.');
  vi.restoreAllMocks();
  expect(objectsOf(store, file)).toHaveLength(1);
  await deleteMarkedAssets(scene.hub);
  expect(objectsOf(store, file)).toEqual([]);
});
