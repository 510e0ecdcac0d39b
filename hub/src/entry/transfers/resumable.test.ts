import { createHash } from 'node:crypto';
import type { Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unfinishedUploadMs } from '../../domains/assets/storage/asset-storage.ts';
import {
  assetScene,
  callUrl,
  fileOf,
  fileWith,
  type AssetScene,
  type TestFile,
} from '../../../test/asset-scene.ts';
import { leaveUpload } from '../../../test/leave-upload.ts';

let scene: AssetScene;
beforeAll(async () => void (scene = await assetScene()));
afterAll(() => scene[Symbol.asyncDispose]());

const tus = { 'tus-resumable': '1.0.0' };
const part = (offset: number, more: Record<string, string> = {}) => ({
  ...tus,
  'content-type': 'application/offset+octet-stream',
  'upload-offset': String(offset),
  ...more,
});

async function begun(file: TestFile) {
  const assetId = await scene.create(file);
  return { assetId, url: await scene.uploadUrl(assetId) };
}

const append = (url: string, offset: number, body: Buffer, more: Record<string, string> = {}) =>
  callUrl(url, { method: 'PATCH', headers: part(offset, more), body });

async function offsetOf(url: string): Promise<number> {
  const { status, headers } = await callUrl(url, { method: 'HEAD', headers: tus });
  expect(status).toBe(200);
  return Number(headers['upload-offset']);
}

async function mustBeServed(assetId: Id<'asset'>, file: TestFile): Promise<void> {
  expect((await scene.details(assetId)).status).toBe('Available');
  const { bytes } = await callUrl(await scene.downloadUrl(assetId));
  expect(bytes.equals(file.bytes)).toBe(true);
}

test('an upload in parts goes on where it was, over cuts and new URLs', async () => {
  const file = fileOf(3_000_000);
  const { assetId, url } = await begun(file);
  expect(await offsetOf(url)).toBe(0);
  const first = await append(url, 0, file.bytes.subarray(0, 1_000_000));
  expect([first.status, first.headers['upload-offset'], first.headers['tus-resumable']]).toEqual([
    204,
    '1000000',
    '1.0.0',
  ]);
  const expiresAt = Date.parse(String(first.headers['upload-expires']));
  expect(Math.abs(expiresAt - Date.now() - unfinishedUploadMs)).toBeLessThan(60_000);
  const { hub } = scene;
  const bytes = file.bytes.subarray(1_000_000);
  await leaveUpload({ hub, url, offset: 1_000_000, bytes, sentBytes: 700_000 });
  await expect.poll(() => offsetOf(url)).toBeGreaterThan(1_000_000);
  const newUrl = await scene.uploadUrl(assetId);
  const offset = await offsetOf(newUrl);
  const last = await append(newUrl, offset, file.bytes.subarray(offset));
  expect([last.status, last.headers['upload-expires']]).toEqual([204, undefined]);
  expect(await offsetOf(newUrl)).toBe(3_000_000);
  await mustBeServed(assetId, file);
  const again = await callUrl(newUrl, { method: 'PUT', body: file.bytes });
  expect(again.status).toBe(200);
});

test('a part with its checksum is kept only if it matches', async () => {
  const file = fileOf(2000);
  const { assetId, url } = await begun(file);
  const checksumOf = (bytes: Buffer) => ({
    'upload-checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}`,
  });
  const half = file.bytes.subarray(0, 1000);
  expect((await append(url, 0, half, checksumOf(file.bytes))).status).toBe(460);
  expect(await offsetOf(url)).toBe(0);
  expect((await append(url, 0, half, { 'upload-checksum': 'md5 aGVsbG8=' })).status).toBe(400);
  expect((await append(url, 0, half, checksumOf(half))).status).toBe(204);
  expect((await append(url, 1000, file.bytes.subarray(1000))).status).toBe(204);
  await mustBeServed(assetId, file);
});

test('a part at another offset, one that is too long, and a request that is no part are refused', async () => {
  const file = fileOf(1000);
  const { assetId, url } = await begun(file);
  const behind = await append(url, 5, file.bytes.subarray(5));
  expect([behind.status, behind.headers['upload-offset']]).toEqual([409, '0']);
  expect((await append(url, 0, fileOf(1001).bytes)).status).toBe(413);
  const typed = { ...tus, 'upload-offset': '0' };
  expect((await callUrl(url, { method: 'PATCH', headers: typed, body: file.bytes })).status).toBe(415);
  const unversioned = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  expect((await callUrl(url, { method: 'PATCH', headers: unversioned, body: file.bytes })).status).toBe(412);
  for (const offset of ['-1', 'x', '', '1e3'])
    expect((await append(url, 0, file.bytes, { 'upload-offset': offset })).status).toBe(400);
  const download = await scene.upload(fileOf(5)).then(scene.downloadUrl);
  expect((await append(download, 0, file.bytes)).status).toBe(403);
  expect((await append(url, 0, file.bytes)).status).toBe(204);
  await mustBeServed(assetId, file);
});

test('other bytes than announced are discarded at the end, and the upload begins again', async () => {
  const file = fileOf(1000);
  const { assetId, url } = await begun(file);
  expect((await append(url, 0, fileOf(1000).bytes)).status).toBe(422);
  expect(await offsetOf(url)).toBe(0);
  expect((await append(url, 0, file.bytes)).status).toBe(204);
  await mustBeServed(assetId, file);
});

test('a client that gives up can have its bytes deleted, and an empty file needs no part', async () => {
  const { url } = await begun(fileOf(1000));
  await append(url, 0, fileOf(10).bytes);
  expect((await callUrl(url, { method: 'DELETE', headers: tus })).status).toBe(204);
  expect(await offsetOf(url)).toBe(0);
  const empty = fileWith(Buffer.alloc(0));
  const { assetId, url: emptyUrl } = await begun(empty);
  expect(await offsetOf(emptyUrl)).toBe(0);
  await mustBeServed(assetId, empty);
  const options = await callUrl(url, { method: 'OPTIONS' });
  expect([options.status, options.headers['tus-version'], options.headers['tus-extension']]).toEqual([
    204,
    '1.0.0',
    'checksum,expiration,termination',
  ]);
});
