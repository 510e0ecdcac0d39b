import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { fileOf } from '../../../test/asset-scene.ts';
import {
  create,
  daysLater,
  lives,
  mustCollect,
  mustRecover,
  patch,
  put,
  sweptKeys,
  type Lives,
} from '../../../test/hub-lives.ts';
import { storagesOf } from '../../../test/test-storages.ts';
import { createDiskStorage } from '../../domains/assets/storage/disk/disk-storage.ts';

const rounds = inject('figures').crashRounds;

/** Behind the sweep there is an object for each asset, and nothing else. */
async function mustHaveNoLeak({ dataDir, database: { db } }: Lives): Promise<void> {
  const storages = storagesOf(db, { disk: createDiskStorage(join(dataDir, 'assets')), now: daysLater });
  const keys = await sweptKeys(db, storages);
  const objects = await storages.disk.list();
  expect(objects.map(({ key }) => key).toSorted()).toEqual(keys);
  expect(await readdir(join(dataDir, 'assets', 'partials'))).toEqual([]);
}

const steps = {
  'after a part of the temporary file': 'after writev',
  'before the temporary file is durable': 'before datasync',
  'before the file gets its name': 'before rename',
  'after the file got its name': 'after rename',
  'after its name is durable, before the row': 'after sync',
  'after the row, before the answer': 'before answer',
} as const;

test(
  'a hub that dies at any step of an upload to its data folder or of a deletion has an asset whole or not at all, and leaks nothing',
  { timeout: 900_000 },
  async () => {
    const scene = await lives();
    for (let round = 0; round < rounds; round += 1) {
      for (const [step, moment] of Object.entries(steps))
        await dieDuringUpload(scene, { step, moment, send: round % 2 === 0 ? put : patch });
      for (const moment of ['before rm', 'after rm']) await dieDuringDeletion(scene, moment);
    }
    await mustHaveNoLeak(scene);
  },
);

async function dieDuringUpload(
  scene: Lives,
  { step, moment, send }: { readonly step: string; readonly moment: string; readonly send: typeof put },
): Promise<void> {
  const file = fileOf(1_500_000);
  const assetId = await create(scene, file);
  await scene.order(moment);
  await expect(send(scene, assetId, file), step).rejects.toThrow();
  await scene.restart();
  await mustRecover(scene, assetId, file, send);
}

async function dieDuringDeletion(scene: Lives, moment: string): Promise<void> {
  const file = fileOf(200_000);
  const assetId = await create(scene, file);
  expect(await put(scene, assetId, file)).toBe(200);
  await scene.order(moment);
  await scene.hub.invoke('repositories_DeleteAsset', { assetId }).catch(() => undefined);
  await scene.restart();
  await mustCollect(scene);
  await mustRecover(scene, await create(scene, file), file, put);
}
