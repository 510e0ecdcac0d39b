import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assetScene, fileOf } from '../../../test/asset-scene.ts';
import { storagesOf } from '../../../test/test-storages.ts';
import { createDiskStorage } from '../../domains/assets/storage/disk/disk-storage.ts';
import { examineStorage } from './storage-doctor.ts';

test('a node of a cluster without files does not report the assets of the former single node as missing', async () => {
  await using scene = await assetScene();
  const assetId = await scene.upload(fileOf(1000));
  const emptyFolder = await mkdtemp(join(tmpdir(), 'corral-node-'));
  onTestFinished(() => rm(emptyFolder, { recursive: true, force: true }));
  const { executor, database } = scene.hub;
  const storages = storagesOf(database.db, { disk: createDiskStorage(emptyFolder), mayKeepOnDisk: false });
  const doctor = { db: database.db, executor, storages, now: () => new Date(), isReading: true };
  const examine = (isFolderLost: boolean) => examineStorage({ ...doctor, mode: 'fix', isFolderLost }, silent);
  const silent = { step: () => undefined, add: () => undefined, end: () => undefined };
  const [assets] = await examine(false);
  expect(assets).toMatchObject({ state: 'unchecked', count: 1 });
  expect(assets?.text).toMatch(
    /run the command there\. If .* reports them as missing\. 1 asset was not checked\.$/,
  );
  expect((await scene.details(assetId)).storage?.status).toBe('Verified');

  const [lost] = await examine(true);
  expect(lost).toMatchObject({ state: 'wrong', count: 1, examples: [assetId] });
  expect((await scene.details(assetId)).storage?.status).toBe('Missing');
});
