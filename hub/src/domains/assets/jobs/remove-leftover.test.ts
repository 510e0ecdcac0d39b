import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ids } from '@corral/contract';
import { expect, onTestFinished, test } from 'vitest';
import { assetScene, callUrl, fileOf } from '../../../../test/asset-scene.ts';
import { freshDatabase } from '../../../../test/fresh-database.ts';
import { storagesOf } from '../../../../test/test-storages.ts';
import { createDiskStorage } from '../storage/disk/disk-storage.ts';
import { removeLeftover } from './remove-leftover.ts';
import { sweepStores } from './sweep-stores.ts';

const tus = { 'tus-resumable': '1.0.0' };
const partAt = (offset: number, length: number) => ({
  ...tus,
  'content-type': 'application/offset+octet-stream',
  'upload-offset': offset,
  'content-length': length,
});

async function sceneOnDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'corral-leftovers-'));
  const database = await freshDatabase();
  const storages = storagesOf(database.db, { disk: createDiskStorage(folder) });
  const scene = await assetScene({ database, storages });
  onTestFinished(async () => {
    await scene[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  return { scene, storages };
}

test('an old upload that its client goes on with is not swept, and one that nobody goes on with is', async () => {
  const { scene, storages } = await sceneOnDisk();
  const { executor, database } = scene.hub;
  const sweep = () => sweepStores({ executor, storages, now: () => new Date(Date.now() + 2 * 86_400_000) });
  const [file, left] = [fileOf(200_000), fileOf(200_000)];
  const half = 100_000;
  const begin = async ({ bytes, digest }: typeof file) => {
    const assetId = await scene.create({ bytes, digest });
    const url = await scene.uploadUrl(assetId);
    const body = bytes.subarray(0, half);
    expect((await callUrl(url, { method: 'PATCH', headers: partAt(0, half), body })).status).toBe(204);
    return { assetId, url };
  };
  const [{ assetId, url }, abandoned] = [await begin(file), await begin(left)];
  const upload = request(url, { method: 'PATCH', headers: partAt(half, file.bytes.length - half) });
  upload.write(file.bytes.subarray(half, half + 10));
  const leases = database.db.selectFrom('assets').select('upload_lease');
  const lease = leases.where('asset_id', '=', ids.asset.raw(assetId));
  await expect.poll(async () => (await lease.executeTakeFirst())?.upload_lease).not.toBeNull();
  await sweep();
  upload.end(file.bytes.subarray(half + 10));
  const [answer] = (await once(upload, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headers['upload-offset']]).toEqual([204, '200000']);
  expect((await callUrl(await scene.downloadUrl(assetId))).bytes.equals(file.bytes)).toBe(true);
  const asked = await callUrl(abandoned.url, { method: 'HEAD', headers: tus });
  expect(asked.headers['upload-offset']).toBe('0');
});

test('an upload to which bytes have come since it was found is not discarded', async () => {
  const { scene, storages } = await sceneOnDisk();
  const file = fileOf(1000);
  const assetId = await scene.create(file);
  const url = await scene.uploadUrl(assetId);
  const body = file.bytes.subarray(0, 500);
  await callUrl(url, { method: 'PATCH', headers: partAt(0, 500), body });
  const { executor } = scene.hub;
  const found = { kind: 'UnfinishedUpload', uploadId: ids.asset.raw(assetId) } as const;
  await removeLeftover({ executor, storages, before: new Date(Date.now() - 86_400_000) }, found);
  expect((await callUrl(url, { method: 'HEAD', headers: tus })).headers['upload-offset']).toBe('500');
});
