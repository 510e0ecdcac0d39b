import { once } from 'node:events';
import { readFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import type { Id } from '@corral/contract';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  append,
  callUrl,
  fileOf,
  folderScene,
  put,
  type FolderScene,
  type TestFile,
} from '../../../test/asset-scene.ts';
import { sendPart } from '../../../test/send-part.ts';

const count = inject('figures').assetFaults;

let scene: FolderScene;
beforeAll(async () => void (scene = await folderScene({ transferLimits: { maxChecking: 2 } })));
afterAll(() => scene[Symbol.asyncDispose]());

const below = (limit: number): number => Math.floor(Math.random() * limit);
const isAvailable = async (assetId: Id<'asset'>): Promise<boolean> =>
  (await scene.details(assetId)).status === 'Available';

/** Faults of clients and connections: whatever they send, only the announced bytes become available. */
const faults: ((url: string, file: TestFile) => Promise<unknown>)[] = [
  (url, { bytes }) => {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(7) ^ 1, 7);
    return put(url, { bytes: damaged });
  },
  (url, { bytes }) => leave(url, 'PUT', bytes),
  (url, { bytes }) => leave(url, 'PATCH', bytes),
  (url, { bytes }) => leave(url, 'PATCH', fileOf(bytes.length).bytes),
  (url, { bytes }) => append(url, 0, fileOf(bytes.length).bytes),
  (url, { bytes }) => put(url, { bytes: bytes.subarray(1) }),
  (url, file) => put(url, file),
];

test('no available asset ever has other bytes than announced', async () => {
  for (let round = 0; round < count; round += 1) {
    const file = fileOf(1_000 + below(200_000));
    const assetId = await scene.create(file);
    const url = await scene.uploadUrl(assetId);
    for (let step = 0; step < 3; step += 1)
      await faults[below(faults.length)]?.(url, file).catch(() => undefined);
    await expect.poll(() => scene.hub.transfers.counts.uploads).toBe(0);
    if (!(await isAvailable(assetId))) await putAgain(url, file);
    const { status, bytes } = await callUrl(await scene.downloadUrl(assetId));
    expect([status, bytes.equals(file.bytes)]).toEqual([200, true]);
  }
});

/** Faults of the disk: the end is cut off, the file is gone, a bit is flipped, or nothing is left. */
const damages: ((path: string) => void)[] = [
  (path) => truncateSync(path, below(readFileSync(path).length)),
  (path) => unlinkSync(path),
  (path) => {
    const bytes = readFileSync(path);
    const at = below(bytes.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
    writeFileSync(path, bytes);
  },
  (path) => truncateSync(path, 0),
];

test('damage of the disk never reaches a client as if it were the asset', async () => {
  for (let round = 0; round < count / 10; round += 1) {
    const file = fileOf(100_000 + below(300_000));
    const assetId = await scene.upload(file);
    const path = scene.objects().find((name) => name.endsWith(file.digest.slice(7))) ?? '';
    damages[below(damages.length)]?.(path);
    const answer = await callUrl(await scene.downloadUrl(assetId));
    expect(answer.status === 500 || answer.isCut).toBe(true);
    expect((await scene.upload(file)) === assetId).toBe(true);
    const healed = await callUrl(await scene.downloadUrl(assetId));
    expect([healed.status, healed.bytes.equals(file.bytes)]).toEqual([200, true]);
  }
});

test('a flipped bit is noticed by the reader of its MiB, before that is sent, and recorded; the scrub need not find it', async () => {
  const mebibyte = 1_048_576;
  const file = fileOf(3 * mebibyte + 1000);
  const assetId = await scene.upload(file);
  const path = scene.objects().find((name) => name.endsWith(file.digest.slice(7))) ?? '';
  const flip = (at: number): void => {
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
    writeFileSync(path, bytes);
  };
  const url = await scene.downloadUrl(assetId);
  const get = (headers: Record<string, string> = {}) => callUrl(url, { headers });
  const stateOf = async () => (await scene.details(assetId)).storage?.status;
  flip(2 * mebibyte + 5);
  const damaged = readFileSync(path);
  // Parts without the whole of the damaged MiB are served, and a client that checks for itself gets all of it.
  const first = await get({ range: `bytes=0-${mebibyte * 2 - 1}` });
  expect(first.bytes.equals(file.bytes.subarray(0, 2 * mebibyte))).toBe(true);
  expect((await get({ range: 'bytes=-1000' })).bytes.equals(file.bytes.subarray(-1000))).toBe(true);
  expect((await get({ 'corral-verifies': 'sha-256' })).bytes.equals(damaged)).toBe(true);
  expect(await stateOf()).toBe('Verified');
  const cut = await get();
  expect([cut.status, cut.isCut]).toEqual([200, true]);
  expect(file.bytes.subarray(0, cut.bytes.length).equals(cut.bytes)).toBe(true);
  expect(cut.bytes.length).toBeLessThanOrEqual(2 * mebibyte);
  await expect.poll(stateOf).toBe('Mismatched');
  expect(await scene.upload(file)).toBe(assetId);
  expect((await get()).bytes.equals(file.bytes)).toBe(true);

  flip(3 * mebibyte + 1);
  const last = await get({ range: `bytes=${3 * mebibyte}-` });
  expect([last.status, last.headers['corral-stored-bytes']]).toEqual([500, 'damaged']);
  expect(JSON.parse(last.bytes.toString())).toEqual({
    kind: 'Internal',
    message: 'MiB 4 of the stored bytes of this asset is damaged. Upload the same file again to repair it.',
  });
  await expect.poll(stateOf).toBe('Mismatched');
});

test('while as many downloads are checked as may be, others are sent unchecked', async () => {
  const [large, small] = [fileOf(24 * 1_048_576), fileOf(200_000)];
  const largeUrl = await scene.downloadUrl(await scene.upload(large));
  const stall = async (): Promise<IncomingMessage> => {
    const [response] = (await once(request(largeUrl).end(), 'response')) as [IncomingMessage];
    return response;
  };
  const stalled = [await stall(), await stall()];
  const url = await scene.downloadUrl(await scene.upload(small));
  const path = scene.objects().find((name) => name.endsWith(small.digest.slice(7))) ?? '';
  const damaged = readFileSync(path).reverse();
  writeFileSync(path, damaged);
  expect((await callUrl(url)).bytes.equals(damaged)).toBe(true);
  for (const response of stalled) response.destroy();
  await expect.poll(() => scene.hub.transfers.counts.downloads).toBe(0);
  expect((await callUrl(url)).status).toBe(500);
});

async function putAgain(url: string, file: TestFile): Promise<void> {
  await expect.poll(async () => (await put(url, file)).status).toBe(200);
}

/** Announces all bytes, sends a random part of them and breaks the connection. */
async function leave(url: string, method: 'PUT' | 'PATCH', bytes: Buffer): Promise<void> {
  const sent = bytes.subarray(0, below(bytes.length));
  (await sendPart({ url, method, length: bytes.length, sent })).destroySoon();
}
