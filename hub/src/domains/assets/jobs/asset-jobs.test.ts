import { statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { assetScene, callUrl, fileOf, folderScene, type FolderScene } from '../../../../test/asset-scene.ts';
import { etagOf, type StoredObject } from '../../../../test/s3-double/objects.ts';
import { s3Double, type S3Double } from '../../../../test/s3-double/s3-double.ts';
import { storagesOf } from '../../../../test/test-storages.ts';
import { createDiskStorage } from '../storage/disk/disk-storage.ts';
import { storageKey } from '../storage/storage-key.ts';
import type { Storages } from '../storage/storages.ts';
import { openSingleConnection } from '../../../platform/db/single-connection.ts';
import { holdAssets } from '../../../platform/db/backup-lock.ts';
import { collectAssets } from './collect-assets.ts';
import { startAssetCollector } from './collect-on-delete.ts';
import { scrubAssets } from './scrub-assets.ts';
import { sweepStores } from './sweep-stores.ts';

const day = 86_400;
let folder: string;
let storages: Storages;
let scene: FolderScene;
let objects: FolderScene['objects'];
beforeEach(async () => {
  scene = await folderScene();
  ({ folder, objects } = scene);
  ({ storages } = scene.hub);
});
afterEach(() => scene[Symbol.asyncDispose]());

const rows = () => scene.hub.database.db.selectFrom('assets').selectAll().execute();
const sweepIn = (secs: number) => {
  const now = () => new Date(Date.now() + secs * 1000);
  return sweepStores({ executor: scene.hub.executor, storages, now });
};
const scrub = () => scrubAssets({ executor: scene.hub.executor, storages, maxBytes: 1e9 });

async function attach(assetId: Id<'asset'>): Promise<Id<'package'>> {
  const named = { repositoryId: scene.repositoryId, name: `image-${Date.now()}` };
  const created = await scene.call('repositories_CreatePackage', named);
  if (created.result !== 'Created') throw new Error('The package exists already.');
  const { packageId } = created;
  await scene.call('repositories_AddPackageAsset', { packageId, assetId, filename: 'image' });
  return packageId;
}

test('assets that nothing has used for a day are deleted with their bytes; the others stay', async () => {
  const [used, unused] = [await scene.upload(fileOf(1000)), await scene.upload(fileOf(2000))];
  const dangling = await scene.create(fileOf(3000));
  const packageId = await attach(used);
  await collectAssets(scene.hub);
  expect(await rows()).toHaveLength(3);
  scene.hub.advance(2 * day);
  const fresh = await scene.upload(fileOf(4000));
  await collectAssets(scene.hub);
  const left = (await rows()).map(({ asset_id }) => ids.asset.of(asset_id));
  expect(new Set(left)).toEqual(new Set([used, fresh]));
  expect(left).not.toContain(unused);
  expect(left).not.toContain(dangling);
  expect(
    objects()
      .map((path) => statSync(path).size)
      .toSorted((one, other) => one - other),
  ).toEqual([1000, 4000]);
  const { versionId } = await scene.call('repositories_CreatePackageVersion', {
    packageId,
  });
  const file = { versionId, assetId: fresh, filename: 'image' };
  await scene.call('repositories_AddPackageVersionAsset', file);
  scene.hub.advance(2 * day);
  await scene.call('repositories_DeletePackage', { packageId });
  await collectAssets(scene.hub);
  // As after the deletion of a version, they can be attached again for a day.
  expect(await rows()).toHaveLength(2);
  scene.hub.advance(2 * day);
  await collectAssets(scene.hub);
  expect([await rows(), objects()]).toEqual([[], []]);
});

test('only the node of a cluster that has the assets of the data folder checks them', async () => {
  const assetId = await scene.upload(fileOf(1000));
  const otherFolder = await mkdtemp(join(tmpdir(), 'corral-other-node-'));
  onTestFinished(() => rm(otherFolder, { recursive: true, force: true }));
  const { executor } = scene.hub;
  const nodeOf = (dataFolder: string): Storages =>
    storagesOf(scene.hub.database.db, { disk: createDiskStorage(dataFolder), mayKeepOnDisk: false });
  const [other, own] = [nodeOf(otherFolder), nodeOf(folder)];
  const statusAfter = async (node: Storages) => {
    scene.hub.advance(2 * day);
    await scrubAssets({ executor, storages: node, maxBytes: 1e9 });
    return (await scene.details(assetId)).storage?.status;
  };
  expect(await statusAfter(other)).toBe('Verified');
  const [file = ''] = objects();
  writeFileSync(file, 'other bytes');
  expect(await statusAfter(other)).toBe('Verified');
  expect(await statusAfter(own)).toBe('Mismatched');
  const later = () => new Date(Date.now() + 10 * day * 1000);
  await sweepStores({ executor, storages: other, now: later });
  expect(objects()).toEqual([file]);
});

test('while a backup copies assets none is deleted; the next run does it', async () => {
  await scene.upload(fileOf(1000));
  scene.hub.advance(2 * day);
  const backup = await openSingleConnection(scene.hub.database.address);
  await holdAssets(backup.db);
  await collectAssets(scene.hub);
  expect(objects()).toHaveLength(1);
  await backup.close();
  await collectAssets(scene.hub);
  expect([await rows(), objects()]).toEqual([[], []]);
});

test('an asset in use is not deleted; one that is deleted is gone at once, and may be created again', async () => {
  const collector = startAssetCollector(scene.hub);
  const file = fileOf(1000);
  const assetId = await scene.upload(file);
  const packageId = await attach(assetId);
  await expect(scene.call('repositories_DeleteAsset', { assetId })).rejects.toThrow(
    /is the file "image" of the package image-\d+; remove it there first/,
  );
  await scene.call('repositories_RemovePackageAsset', { packageId, filename: 'image' });
  await scene.call('repositories_DeleteAsset', { assetId });
  await expect.poll(rows).toEqual([]);
  expect(objects()).toEqual([]);
  const again = await scene.upload(file);
  expect(again).not.toBe(assetId);
  expect((await callUrl(await scene.downloadUrl(again))).bytes.equals(file.bytes)).toBe(true);
  await collector.stop();
});

test('the assets of a deleted repository go', async () => {
  await scene.upload(fileOf(1000));
  await scene.call('repositories_DeleteRepository', {
    repositoryId: scene.repositoryId,
  });
  await collectAssets(scene.hub);
  expect([await rows(), objects()]).toEqual([[], []]);
});

test('the sweep adopts bytes whose client died, and removes objects and parts of no asset', async () => {
  const [file, stray] = [fileOf(3_000_000), fileOf(500)];
  const assetId = await scene.create(file);
  const [dangling] = await rows();
  const key = dangling?.storage_key ?? '';
  const options = { signal: AbortSignal.timeout(60_000), assetId };
  const digestOf = ({ digest }: typeof file) => Buffer.from(digest.slice(7), 'hex');
  // The writer frees what it has written.
  const write = (to: string, { bytes, ...rest }: typeof file) =>
    storages.disk.write(
      to,
      Readable.from([Buffer.from(bytes)]),
      { sizeBytes: bytes.length, digest: digestOf({ bytes, ...rest }) },
      options,
    );
  await write(key, file);
  await write(storageKey('', ids.repository.raw(scene.repositoryId), digestOf(stray)), stray);
  await storages.disk.partials.append('abandoned', {
    bytes: Readable.from([Buffer.from(stray.bytes)]),
    offset: 0,
    maxBytes: 1000,
    signal: options.signal,
  });
  await sweepIn(0);
  expect(objects()).toHaveLength(2);
  await sweepIn(2 * day);
  expect(objects()).toHaveLength(1);
  for await (const { key: left } of storages.disk.partials.list()) expect.unreachable(left);
  expect(await scene.details(assetId)).toMatchObject({
    status: 'Available',
    storage: { status: 'Verified' },
  });
  const chunks = await scene.call('repositories_GetAssetChunks', { assetId });
  expect(chunks).toMatchObject({ total: 3, chunkSize: 1_048_576 });
  await scene.mustServe(assetId, file);
});

test('objects that a check left in a store when the hub was killed are swept after a day, and nothing else', async () => {
  await using own = await s3Double();
  await scene.useStore(own);
  const written = own.requests.flatMap(
    (line) => /^PUT \/assets\/(\.corral-probe\/[^?\s]+)/.exec(line)?.[1] ?? [],
  );
  const left = [...new Set(written)];
  expect(left.length).toBeGreaterThan(1);
  const foreign = ['.corral-probe/notes.txt', 'backup/right'];
  const object: StoredObject = {
    bytes: Buffer.from('left'),
    metadata: {},
    checksum: undefined,
    etag: etagOf(Buffer.from('left')),
    modifiedAt: new Date(),
  };
  for (const key of [...left, ...foreign]) own.objects.set(key, object);
  const { executor, database } = scene.hub;
  const sweep = (secs: number) =>
    sweepStores({
      executor,
      storages: storagesOf(database.db),
      now: () => new Date(Date.now() + secs * 1000),
    });
  await sweep(0);
  expect(own.objects.size).toBe(left.length + foreign.length);
  await sweep(2 * day);
  expect([...own.objects.keys()].toSorted()).toEqual(foreign);
});

test.each([
  [
    'one bit flipped',
    (bytes: Buffer) => (bytes.writeUInt8(bytes.readUInt8(700) ^ 1, 700), bytes),
    'Mismatched',
  ],
  ['the end cut off', (bytes: Buffer) => bytes.subarray(0, -1), 'Mismatched'],
])(
  'the scrub finds damage (%s), downloads stop, and the same upload heals it',
  async (_what, damage, status) => {
    const file = fileOf(1_000_000);
    const assetId = await scene.upload(file);
    scene.hub.advance(2 * day);
    await scrub();
    expect((await scene.details(assetId)).storage?.status).toBe('Verified');
    const [path = ''] = objects();
    writeFileSync(path, damage(Buffer.from(file.bytes)));
    scene.hub.advance(2 * day);
    await scrub();
    expect((await scene.details(assetId)).storage).toMatchObject({
      status,
      detail: expect.stringContaining('instead of'),
    });
    const events = await scene.hub.database.db.selectFrom('audit_events').select('event').execute();
    expect(events.map(({ event }) => event)).toContain('repositories_AssetDamaged');
    const refused = await callUrl(await scene.downloadUrl(assetId));
    expect([refused.status, refused.bytes.toString()]).toEqual([
      500,
      expect.stringContaining('Upload the same file again'),
    ]);
    expect(await scene.upload(file)).toBe(assetId);
    expect((await scene.details(assetId)).storage?.status).toBe('Verified');
    expect((await callUrl(await scene.downloadUrl(assetId))).bytes.equals(file.bytes)).toBe(true);
  },
);

test('a missing file is noticed by whoever downloads it first', async () => {
  const file = fileOf(1000);
  const assetId = await scene.upload(file);
  const [path = ''] = objects();
  await rm(path);
  expect((await callUrl(await scene.downloadUrl(assetId))).status).toBe(500);
  await expect.poll(async () => (await scene.details(assetId)).storage?.status).toBe('Missing');
  await scene.upload(file);
  expect((await callUrl(await scene.downloadUrl(assetId))).status).toBe(200);
});

test('quotas are kept, and a deleted asset gives its room back', async () => {
  await scene.hub.database.db.updateTable('repositories').set({ max_bytes: 3000, max_assets: 2 }).execute();
  await scene.upload(fileOf(2000));
  await expect(scene.create(fileOf(1001))).rejects.toThrow(/would have 3001 of at most 3000 bytes\./);
  const second = await scene.upload(fileOf(1000));
  await expect(scene.create(fileOf(0))).rejects.toThrow(/at most 2 assets/);
  await scene.call('repositories_DeleteAsset', { assetId: second });
  await collectAssets(scene.hub);
  await scene.create(fileOf(1000));
});

/** Deletes one asset on disk beside 200 in a store that fails with these changes of its profile. */
async function collectBesideFailingStore(changes: Partial<S3Double['profile']>) {
  await using store = await s3Double();
  await using both = await assetScene();
  const { database, storages: stores } = both.hub;
  const onDisk = await both.upload(fileOf(1000));
  await both.useStore(store);
  await both.call('repositories_DeleteAsset', { assetId: onDisk });
  const { db } = database;
  const { storage_key: key } = await db.selectFrom('assets').select('storage_key').executeTakeFirstOrThrow();
  await sql`insert into assets (asset_id, repository_id, digest, size, status, store_id, storage_key, created_at, touched_at)
    select translate(lpad(n::text, 22, 'a'), '0', 'b'), a.repository_id, sha256(n::text::bytea), 1, 'Deleting', s.store_id, 'old' || n, '2000-01-01', '2000-01-01'
    from assets a, object_stores s, generate_series(1, 200) n`.execute(db);
  const { ...answering } = store.profile;
  Object.assign(store.profile, changes);
  const { message } = await collectAssets(both.hub).then(
    () => new Error('no failure'),
    (error: Error) => error,
  );
  expect(await stores.disk.stat(key)).toBeUndefined();
  const left = async () => (await db.selectFrom('assets').select('status').execute()).length;
  const after = await left();
  Object.assign(store.profile, answering);
  // A store that did not answer may still delete, so nobody else does for a while.
  await sql`update assets set upload_lease_ends_at = null`.execute(db);
  await collectAssets(both.hub);
  return { message, after, afterNext: await left() };
}

test.each([
  ['refuses every deletion', { refuses: true }, /^The bytes of 10\d assets could not be deleted/],
  [
    'does not answer',
    { deletesLate: () => new Promise<void>(() => {}) },
    /^The bytes of [3-6] assets could not/,
  ],
])(
  'a store that %s holds up no other one, and is asked again in the next run',
  async (_how, changes, sentence) => {
    const { message, after, afterNext } = await collectBesideFailingStore(changes);
    expect(message).toMatch(sentence);
    expect(message).toContain('Others in the same store were not tried.');
    expect([after, afterNext]).toEqual([200, 0]);
  },
);
