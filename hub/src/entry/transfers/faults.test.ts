import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { readdirSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Id } from '@corral/contract';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { assetScene, callUrl, fileOf, type AssetScene, type TestFile } from '../../../test/asset-scene.ts';
import { createDiskStorage } from '../../domains/assets/storage/disk/disk-storage.ts';
import { createStorages } from '../../domains/assets/storage/storages.ts';

const count = inject('figures').assetFaults;

let folder: string;
let scene: AssetScene;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-asset-faults-'));
  const storages = createStorages({
    disk: createDiskStorage(folder),
    readStore: async () => undefined,
    ruleFor: () => () => undefined,
    now: () => new Date(),
  });
  scene = await assetScene({ storages, transferLimits: { maxChecking: 2 } });
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const below = (limit: number): number => Math.floor(Math.random() * limit);
const isAvailable = async (assetId: Id<'asset'>): Promise<boolean> =>
  (await scene.details(assetId)).status === 'Available';

/** Faults of clients and connections: whatever they send, only the announced bytes become available. */
const faults: ((url: string, file: TestFile) => Promise<unknown>)[] = [
  (url, { bytes }) => {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(7) ^ 1, 7);
    return callUrl(url, { method: 'PUT', body: damaged });
  },
  (url, { bytes }) => sendPart(url, 'PUT', bytes, {}),
  (url, { bytes }) => sendPart(url, 'PATCH', bytes, { 'upload-offset': '0' }),
  (url, { bytes }) => sendPart(url, 'PATCH', fileOf(bytes.length).bytes, { 'upload-offset': '0' }),
  (url, { bytes }) =>
    callUrl(url, {
      method: 'PATCH',
      headers: tusHeaders({ 'upload-offset': '0' }),
      body: fileOf(bytes.length).bytes,
    }),
  (url, { bytes }) => callUrl(url, { method: 'PUT', body: bytes.subarray(1) }),
  (url, { bytes }) => callUrl(url, { method: 'PUT', body: bytes }),
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
    const path = objects().find((name) => name.endsWith(file.digest.slice(7))) ?? '';
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
  const path = objects().find((name) => name.endsWith(file.digest.slice(7))) ?? '';
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
  const path = objects().find((name) => name.endsWith(small.digest.slice(7))) ?? '';
  const damaged = readFileSync(path).reverse();
  writeFileSync(path, damaged);
  expect((await callUrl(url)).bytes.equals(damaged)).toBe(true);
  for (const response of stalled) response.destroy();
  await expect.poll(() => scene.hub.transfers.counts.downloads).toBe(0);
  expect((await callUrl(url)).status).toBe(500);
});

const objects = (): string[] =>
  readdirSync(join(folder, 'objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function putAgain(url: string, file: TestFile): Promise<void> {
  await expect.poll(async () => (await callUrl(url, { method: 'PUT', body: file.bytes })).status).toBe(200);
}

function tusHeaders(more: Record<string, string>): Record<string, string> {
  return { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', ...more };
}

/** Announces all bytes, sends a random part of them and breaks the connection. */
async function sendPart(
  url: string,
  method: string,
  bytes: Buffer,
  more: Record<string, string>,
): Promise<void> {
  const { hostname, port, pathname, search } = new URL(url);
  const own = method === 'PATCH' ? tusHeaders(more) : more;
  const headers = { host: hostname, 'content-length': String(bytes.length), ...own };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${head.join('')}\r\n`);
  await new Promise<void>((resolve) => socket.write(bytes.subarray(0, below(bytes.length)), () => resolve()));
  socket.destroySoon();
}
