import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { ids } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  append,
  fileOf,
  folderScene,
  offsetOf,
  tusPart,
  type FolderScene,
  type TestFile,
} from '../../../../test/asset-scene.ts';
import { removeLeftover } from './remove-leftover.ts';
import { sweepStores } from './sweep-stores.ts';

let scene: FolderScene;
beforeAll(async () => void (scene = await folderScene()));
afterAll(() => scene[Symbol.asyncDispose]());

/** Uploads the first half. */
async function beginHalf(file: TestFile) {
  const begun = await scene.begin(file);
  const half = file.bytes.subarray(0, file.bytes.length / 2);
  expect((await append(begun.url, 0, half)).status).toBe(204);
  return begun;
}

test('an old upload that its client goes on with is not swept, and one that nobody goes on with is', async () => {
  const [file, left] = [fileOf(200_000), fileOf(200_000)];
  const [{ assetId, url }, abandoned] = [await beginHalf(file), await beginHalf(left)];
  const headers = tusPart(100_000, { 'content-length': '100000' });
  const upload = request(url, { method: 'PATCH', headers });
  upload.write(file.bytes.subarray(100_000, 100_010));
  await scene.untilLeased(assetId);
  await sweepStores({ ...scene.hub, now: () => new Date(Date.now() + 2 * 86_400_000) });
  upload.end(file.bytes.subarray(100_010));
  const [answer] = (await once(upload, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headers['upload-offset']]).toEqual([204, '200000']);
  await scene.mustServe(assetId, file);
  expect(await offsetOf(abandoned.url)).toBe(0);
});

test('an upload to which bytes have come since it was found is not discarded', async () => {
  const { assetId, url } = await beginHalf(fileOf(1000));
  const found = { kind: 'UnfinishedUpload', uploadId: ids.asset.raw(assetId) } as const;
  await removeLeftover({ ...scene.hub, before: new Date(Date.now() - 86_400_000) }, found);
  expect(await offsetOf(url)).toBe(500);
});
