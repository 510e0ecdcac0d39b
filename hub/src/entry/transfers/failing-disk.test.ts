import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ids, type Id } from '@corral/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  append as patch,
  callUrl,
  fileOf,
  folderScene,
  tus,
  type FolderScene,
} from '../../../test/asset-scene.ts';
import { failCalls } from '../../../test/disk-faults.ts';
import { leavePart } from '../../../test/send-part.ts';
import { scrubAssets } from '../../domains/assets/jobs/scrub-assets.ts';

let scene: FolderScene;
let folder: string;
beforeEach(async () => {
  scene = await folderScene();
  ({ folder } = scene);
});
afterEach(() => scene[Symbol.asyncDispose]());

const head = (url: string) => callUrl(url, { method: 'HEAD', headers: tus });
const statusOf = async (assetId: Id<'asset'>): Promise<string> => (await scene.details(assetId)).status;
const filesIn = (name: string): Promise<string[]> => readdir(join(folder, name)).catch(() => []);

const sentence =
  'The disk of the data folder reports an error: see the log of the system, and check the disk.';

test('a part that the disk could not make durable is forgotten, never synced again, and sent again', async () => {
  const file = fileOf(300_000);
  const { assetId, url } = await scene.begin(file);
  expect((await patch(url, 0, file.bytes.subarray(0, 100_000))).status).toBe(204);
  {
    using faults = await failCalls('datasync', join(folder, 'partials'), 1);
    const refused = await patch(url, 100_000, file.bytes.subarray(100_000));
    expect([refused.status, JSON.parse(refused.bytes.toString())]).toEqual([
      503,
      { kind: 'Internal', message: sentence },
    ]);
    expect(faults.calls).toHaveLength(1);
    expect(scene.hub.logged()).toContain('bytes could not be made durable');
  }
  const asked = await head(url);
  expect([asked.status, asked.headers['upload-offset']]).toEqual([200, '0']);
  expect([await statusOf(assetId), await filesIn('partials')]).toEqual(['Dangling', []]);
  expect((await patch(url, 0, file.bytes)).status).toBe(204);
  await scene.mustServe(assetId, file);
});

test('a part whose client has left is not kept either if the disk could not make it durable', async () => {
  const file = fileOf(2_000_000);
  const { url } = await scene.begin(file);
  using faults = await failCalls('datasync', join(folder, 'partials'), 1);
  const sent = file.bytes.subarray(0, 900_000);
  await leavePart(scene.hub, { url, length: file.bytes.length, sent });
  expect(faults.calls).toHaveLength(1);
  expect((await head(url)).headers['upload-offset']).toBe('0');
});

test('a complete upload that a killed hub left is made durable before it is available, and discarded if the disk cannot', async () => {
  const file = fileOf(200_000);
  const { assetId, url } = await scene.begin(file);
  const partial = join(folder, 'partials', ids.asset.raw(assetId));
  await mkdir(dirname(partial), { recursive: true });
  await writeFile(partial, file.bytes);
  {
    using faults = await failCalls('datasync', partial, 1);
    expect((await head(url)).status).toBe(503);
    expect(faults.calls).toHaveLength(1);
  }
  expect([await statusOf(assetId), await filesIn('partials')]).toEqual(['Dangling', []]);
  await writeFile(partial, file.bytes);
  using syncs = await failCalls('datasync', partial, 0);
  expect((await head(url)).headers['upload-offset']).toBe('200000');
  expect(syncs.calls).toEqual([partial]);
  await scene.mustServe(assetId, file);
});

test('an upload whose place the disk could not make durable is discarded, never believed, and sent again', async () => {
  const file = fileOf(300_000);
  const { assetId, url } = await scene.begin(file);
  {
    using faults = await failCalls('sync', join(folder, 'objects'), 1);
    const refused = await patch(url, 0, file.bytes);
    expect([refused.status, JSON.parse(refused.bytes.toString())]).toEqual([
      503,
      { kind: 'Internal', message: sentence },
    ]);
    expect(faults.calls.length).toBeGreaterThan(0);
    expect(scene.hub.logged()).toContain('bytes could not be made durable');
  }
  const asked = await head(url);
  expect([asked.status, asked.headers['upload-offset']]).toEqual([200, '0']);
  expect([await statusOf(assetId), await filesIn('partials'), await filesIn('objects')]).toEqual([
    'Dangling',
    [],
    [],
  ]);
  expect((await patch(url, 0, file.bytes)).status).toBe(204);
  await scene.mustServe(assetId, file);
});

test('a first part whose entry the disk could not make durable is forgotten', async () => {
  const file = fileOf(300_000);
  const { assetId, url } = await scene.begin(file);
  {
    using faults = await failCalls('sync', join(folder, 'partials'), 1);
    expect((await patch(url, 0, file.bytes.subarray(0, 100_000))).status).toBe(503);
    expect(faults.calls).toHaveLength(1);
  }
  expect((await head(url)).headers['upload-offset']).toBe('0');
  expect(await filesIn('partials')).toEqual([]);
  expect((await patch(url, 0, file.bytes)).status).toBe(204);
  await scene.mustServe(assetId, file);
});

test('an object that a killed hub left is made durable, with its name, before it is finalized, and discarded if the disk cannot', async () => {
  const file = fileOf(200_000);
  const { assetId } = await scene.begin(file);
  const { storage_key: key } = await scene.hub.database.db
    .selectFrom('assets')
    .select('storage_key')
    .executeTakeFirstOrThrow();
  const path = join(folder, 'objects', key);
  const leave = async (): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.bytes);
  };
  const finalize = () => scene.call('repositories_FinalizeAssetUpload', { assetId });
  await leave();
  {
    using _faults = await failCalls('datasync', path, 1);
    await expect(finalize()).rejects.toThrow(sentence);
  }
  expect(await statusOf(assetId)).toBe('Dangling');
  await expect(finalize()).rejects.toThrow('The bytes of the asset have not been uploaded yet');
  await leave();
  {
    using _faults = await failCalls('sync', dirname(path), 1);
    await expect(finalize()).rejects.toThrow(sentence);
  }
  await expect(finalize()).rejects.toThrow('The bytes of the asset have not been uploaded yet');
  await leave();
  using files = await failCalls('datasync', path, 0);
  using folders = await failCalls('sync', folder, 0);
  await finalize();
  expect(files.calls).toEqual([path]);
  expect(folders.calls).toContain(dirname(path));
  await scene.mustServe(assetId, file);
});

test('a file that the disk cannot read is reported, does not hold up the check of others, and is healed by an upload', async () => {
  const [broken, other] = [fileOf(400_000), fileOf(1000)];
  const [assetId, otherId] = [await scene.upload(broken), await scene.upload(other)];
  const { executor, storages, database, advance } = scene.hub;
  const storageOf = async (id: Id<'asset'>) => (await scene.details(id)).storage;
  const keyOf = async (id: Id<'asset'>): Promise<string> => {
    const rows = database.db
      .selectFrom('assets')
      .select('storage_key')
      .where('asset_id', '=', ids.asset.raw(id));
    return (await rows.executeTakeFirstOrThrow()).storage_key;
  };
  await writeFile(join(folder, 'objects', await keyOf(otherId)), Buffer.alloc(other.bytes.length));
  const detail =
    'The disk cannot read the stored bytes of this asset: check the disk, and upload the same file again to repair the asset.';
  advance(2 * 86_400);
  {
    using _faults = await failCalls('read', join(folder, 'objects', await keyOf(assetId)));
    await scrubAssets({ executor, storages, maxBytes: 1e9 });
    expect(await storageOf(assetId)).toMatchObject({ status: 'Mismatched', detail });
    expect(await storageOf(otherId)).toMatchObject({ status: 'Mismatched' });
  }
  expect(await scene.upload(broken)).toBe(assetId);
  await scene.mustServe(assetId, broken);
  {
    using _faults = await failCalls('read', join(folder, 'objects', await keyOf(assetId)));
    const answer = await callUrl(await scene.downloadUrl(assetId));
    expect([answer.status, answer.headers['corral-stored-bytes']]).toEqual([500, 'damaged']);
    expect(JSON.parse(answer.bytes.toString())).toEqual({ kind: 'Internal', message: detail });
    expect((await storageOf(assetId))?.status).toBe('Mismatched');
  }
  expect(await scene.upload(broken)).toBe(assetId);
  await scene.mustServe(assetId, broken);
});
