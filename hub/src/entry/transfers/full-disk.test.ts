import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Id } from '@corral/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  append,
  assetScene,
  callUrl,
  fileOf,
  offsetOf,
  put,
  type AssetScene,
  type RawAnswer,
  type TestFile,
} from '../../../test/asset-scene.ts';
import { freshDatabase } from '../../../test/fresh-database.ts';
import { s3Double } from '../../../test/s3-double/s3-double.ts';
import { storagesOf } from '../../../test/test-storages.ts';
import { createDiskStorage } from '../../domains/assets/storage/disk/disk-storage.ts';

const isRoot = process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), 'corral-full-'));
const assets = join(folder, 'assets');
const partials = join(assets, 'partials');
const ballast = join(folder, 'ballast');

const mib = 1_048_576;
const reserveBytes = 2 * mib;
const disk = createDiskStorage(assets, { reserveBytes });

let scene: AssetScene;
beforeAll(async () => {
  if (isRoot) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', folder]);
  const database = await freshDatabase();
  scene = await assetScene({ database, storages: storagesOf(database.db, { disk }) });
});
beforeEach((context) => {
  if (!isRoot) context.skip('Only root can mount a small file system.');
});
afterEach(() => rmSync(ballast, { force: true }));
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  if (isRoot) execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

const fullDisk = 'The disk of the data folder is full: free space there, or use an S3-compatible store.';
const freeBytes = (): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};
/** Leaves so much on the disk above the reserve, which the hub learns at once. */
async function leave(bytes: number): Promise<void> {
  writeFileSync(ballast, Buffer.alloc(freeBytes() - reserveBytes - bytes));
  await disk.room.freeBytes();
}

const refusal = ({ status, bytes }: RawAnswer) => ({
  status,
  ...(JSON.parse(bytes.toString()) as { kind: string; message: string }),
});
const isAvailable = async (assetId: Id<'asset'>): Promise<boolean> =>
  (await scene.details(assetId)).status === 'Available';

/** How many bytes there are in unfinished uploads. */
function unfinishedBytes(): number {
  const paths = readdirSync(partials).map((file) => join(partials, file));
  return paths.reduce((sum, path) => sum + statSync(path).size, 0);
}

for (const [way, send] of [
  ['a PUT', put],
  ['a resumable upload', (url: string, { bytes }: TestFile) => append(url, 0, bytes)],
] as const) {
  test(`[needs root] a disk that fills up during ${way}: 507 with what to do, nothing is kept, smaller ones are taken, and it succeeds once there is room`, async () => {
    const file = fileOf(6 * mib);
    const { assetId, url } = await scene.begin(file);
    // It had room when it was announced.
    await leave(5 * mib);
    expect(refusal(await send(url, file))).toEqual({
      status: 507,
      kind: 'Internal',
      message: fullDisk,
    });
    expect([await isAvailable(assetId), unfinishedBytes()]).toEqual([false, 0]);
    await expect(scene.downloadUrl(assetId)).rejects.toThrow(/have not been uploaded yet/);
    const small = await scene.upload(fileOf(mib));
    expect(await isAvailable(small)).toBe(true);
    rmSync(ballast);
    expect((await send(url, file)).status).toBeLessThan(300);
    expect((await callUrl(await scene.downloadUrl(assetId))).bytes.equals(file.bytes)).toBe(true);
  });

  test(`[needs root] a folder that is read-only refuses ${way} with a sentence, still serves, and takes it once it is writable`, async () => {
    const [there, file] = [fileOf(200_000), fileOf(200_000)];
    const served = await scene.upload(there);
    const { assetId, url } = await scene.begin(file);
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    try {
      expect(refusal(await send(url, file))).toEqual({
        status: 502,
        kind: 'Internal',
        message: 'The data folder is on a read-only file system: mount it writable.',
      });
      expect(await isAvailable(assetId)).toBe(false);
      expect((await callUrl(await scene.downloadUrl(served))).bytes.equals(there.bytes)).toBe(true);
    } finally {
      execFileSync('mount', ['-o', 'remount,rw', folder]);
    }
    expect((await send(url, file)).status).toBeLessThan(300);
    expect(await isAvailable(assetId)).toBe(true);
  });
}

test('[needs root] assets are refused that do not fit beside the reserve and what recent uploads still need', async () => {
  const announced = (bytes: number): TestFile => ({
    bytes: { length: bytes } as Buffer,
    digest: `sha256_${randomBytes(32).toString('hex')}`,
  });
  await leave(12.25 * mib);
  const refused = /^The hub has not enough room on its disk for \d+ bytes; free some, or set an object store/;
  await expect(scene.create(announced(12.25 * mib + 1))).rejects.toThrow(refused);
  const answers = await Promise.allSettled(
    Array.from({ length: 10 }, () => scene.create(announced(2.5 * mib))),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  await expect(scene.create(announced(3 * mib))).rejects.toThrow(refused);
  // What has come of an upload is not needed again.
  const file = fileOf(2 * mib);
  const url = await scene.uploadUrl(await scene.create(file));
  await expect(scene.create(announced(300_000))).rejects.toThrow(refused);
  const [first, second] = [file.bytes.subarray(0, mib), file.bytes.subarray(mib)];
  expect((await append(url, 0, first)).status).toBe(204);
  await expect(scene.create(announced(300_000))).rejects.toThrow(refused);
  const last = announced(0.125 * mib);
  await expect.poll(async () => (await Promise.allSettled([scene.create(last)]))[0].status).toBe('fulfilled');
  expect((await append(url, mib, second)).status).toBe(204);
  await expect(scene.create(announced(300_000))).rejects.toThrow(refused);
  // Nobody keeps others from uploading for long by announcing alone.
  scene.hub.advance(31);
  await scene.create(announced(9 * mib));
});

test('[needs root] a disk that fills up while the parts of an upload to a store are on it: 507, and it goes on where it was', async () => {
  await using store = await s3Double();
  await scene.useStore(store);
  try {
    const file = fileOf(7 * mib);
    const { url } = await scene.begin(file);
    await leave(5 * mib);
    expect(refusal(await append(url, 0, file.bytes))).toMatchObject({ status: 507, message: fullDisk });
    expect(freeBytes()).toBe(reserveBytes + 5 * mib);
    rmSync(ballast);
    const at = await offsetOf(url);
    expect(at).toBeLessThanOrEqual(5 * mib);
    expect((await append(url, at, file.bytes.subarray(at))).status).toBe(204);
    expect([...store.objects.values()].some(({ bytes }) => bytes.equals(file.bytes))).toBe(true);
  } finally {
    await scene.call('repositories_RemoveS3Config', { repositoryId: scene.repositoryId });
  }
});
