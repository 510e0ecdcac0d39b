import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Id } from '@corral/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  assetScene,
  callUrl,
  fileOf,
  type AssetScene,
  type RawAnswer,
  type TestFile,
} from '../../test/asset-scene.ts';
import { createDiskStorage } from '../assets/disk/disk-storage.ts';
import { createStorages } from '../assets/storages.ts';

const isRoot = process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), 'corral-full-'));
const assets = join(folder, 'assets');
const ballast = join(folder, 'ballast');

let scene: AssetScene;
beforeAll(async () => {
  if (isRoot) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', folder]);
  const storages = createStorages({
    disk: createDiskStorage(assets),
    readStore: async () => undefined,
    ruleFor: () => () => undefined,
    now: () => new Date(),
  });
  scene = await assetScene({ storages });
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

const mib = 1_048_576;
const put = (url: string, { bytes }: TestFile): Promise<RawAnswer> =>
  callUrl(url, { method: 'PUT', body: bytes });
const patch = (url: string, { bytes }: TestFile): Promise<RawAnswer> =>
  callUrl(url, {
    method: 'PATCH',
    body: bytes,
    headers: {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
    },
  });
const refusal = ({ status, bytes }: RawAnswer) => ({
  status,
  ...(JSON.parse(bytes.toString()) as { kind: string; message: string }),
});
const isAvailable = async (assetId: Id<'asset'>): Promise<boolean> =>
  (await scene.details(assetId)).status === 'Available';

/** How many bytes there are in unfinished writes. */
function unfinishedBytes(): number {
  const paths = ['tmp', 'partials'].flatMap((name) => {
    try {
      return readdirSync(join(assets, name)).map((file) => join(assets, name, file));
    } catch {
      return [];
    }
  });
  return paths.reduce((sum, path) => sum + statSync(path).size, 0);
}

for (const [way, send] of [
  ['a PUT', put],
  ['a resumable upload', patch],
] as const) {
  test(`[needs root] a disk that fills up during ${way}: 507 with what to do, nothing is kept, smaller ones are taken, and it succeeds once there is room`, async () => {
    const file = fileOf(6 * mib);
    const assetId = await scene.create(file);
    const url = await scene.uploadUrl(assetId);
    // It had room when it was announced.
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - 5 * mib));
    expect(refusal(await send(url, file))).toEqual({
      status: 507,
      kind: 'Internal',
      message: 'The disk of the data folder is full: free space there, or use an S3-compatible store.',
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
    const assetId = await scene.create(file);
    const url = await scene.uploadUrl(assetId);
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

test('[needs root] an asset that does not fit on the disk is refused before a byte is sent', async () => {
  const announced = { bytes: { length: 40 * mib } as Buffer, digest: `sha256_${'a'.repeat(64)}` };
  await expect(scene.create(announced)).rejects.toThrow(
    /^The hub has not enough room on its disk for 41943040 bytes; free some, or set an object store/,
  );
});
