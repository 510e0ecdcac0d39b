import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Id } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  append,
  assetScene,
  callUrl,
  fileOf,
  fileWith,
  folderScene,
  messageOf,
  offsetOf,
  put,
  tus,
  tusPart,
  type TestFile,
} from '../../../test/asset-scene.ts';
import { httpHub } from '../../../test/http-hub.ts';
import { s3Double } from '../../../test/s3-double/s3-double.ts';
import { leavePart, sendPart } from '../../../test/send-part.ts';
import { storagesOf } from '../../../test/test-storages.ts';
import { begun, objectsOf, startTwoHubs, type TwoHubs } from '../../../test/two-hubs.ts';
import { unfinishedUploadMs } from '../../domains/assets/storage/asset-storage.ts';
import { createDiskStorage } from '../../domains/assets/storage/disk/disk-storage.ts';
import { uploadPartBytes } from '../../domains/assets/storage/upload-parts.ts';

const rounds = inject('figures').repeatedUploads;

/** Two hubs that reach the bytes of all uploads, whole or not. */
interface Place extends TwoHubs, AsyncDisposable {
  /** How many files or objects there are of a file. */
  storedCount(file: TestFile): number;
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  /** The second one as the hub that starts on the folder after the first one. */
  async 'a data folder'() {
    const scene = await folderScene();
    const { database } = scene.hub;
    const storages = storagesOf(database.db, { disk: createDiskStorage(scene.folder) });
    const later = await httpHub({ database, storages });
    return {
      scene,
      hubs: [scene.hub, later],
      storedCount: ({ digest }) => scene.objects().filter((path) => path.endsWith(digest.slice(7))).length,
      async [Symbol.asyncDispose]() {
        await later[Symbol.asyncDispose]();
        await scene[Symbol.asyncDispose]();
      },
    };
  },
  async 'an object store'() {
    const store = await s3Double();
    const both = await startTwoHubs(store.settings);
    return {
      ...both,
      storedCount: (file) => objectsOf(store, file).length,
      async [Symbol.asyncDispose]() {
        await both[Symbol.asyncDispose]();
        await store[Symbol.asyncDispose]();
      },
    };
  },
};

/** What a PUT is refused for: the request, the status and the sentence. */
const refusals: Readonly<
  Record<string, readonly [(bytes: Buffer) => Parameters<typeof callUrl>[1], number, RegExp]>
> = {
  'another digest': [
    ({ length }) => ({ body: fileOf(length).bytes }),
    422,
    /sha256_\w{64} instead of the announced sha256_\w{64}/,
  ],
  'fewer bytes': [
    (bytes) => ({ body: bytes.subarray(1) }),
    400,
    /has 200000 bytes, but Content-Length is 199999/,
  ],
  'more bytes': [
    (bytes) => ({ body: Buffer.concat([bytes, Buffer.from('x')]) }),
    413,
    /Content-Length is 200001/,
  ],
  'chunked encoding': [
    (body) => ({ body, headers: { 'transfer-encoding': 'chunked' } }),
    411,
    /Content-Length/,
  ],
  'a content encoding': [
    (body) => ({ body, headers: { 'content-encoding': 'gzip' } }),
    415,
    /without Content-Encoding/,
  ],
  'the headers of another asset': [
    (body) => ({ body, headers: { 'x-amz-meta-nexigon-digest': `sha256_${'0'.repeat(64)}` } }),
    400,
    /another asset/,
  ],
};

/** How a connection is lost. */
const losses: readonly ((socket: Socket) => unknown)[] = [
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end(),
];

describe.each(Object.entries(places))('uploads to %s', (_place, start) => {
  let both: Place;
  beforeAll(async () => void (both = await start()));
  afterAll(() => both[Symbol.asyncDispose]());

  const begin = async (file: TestFile) => {
    const { assetId, urls } = await begun(both, file);
    return { assetId, url: urls[0], other: urls[1] };
  };
  const mustServe = (assetId: Id<'asset'>, file: TestFile) => both.scene.mustServe(assetId, file);

  test('one PUT makes the asset available, as clients of every generation expect, and may come again', async () => {
    for (const file of [fileOf(200_000), fileOf(3_000_001), fileWith(Buffer.alloc(0))]) {
      const { assetId, url, other } = await begin(file);
      expect(await both.scene.stateOf(assetId)).toBe('Dangling Unknown');
      const answer = await put(url, file);
      expect([answer.status, answer.headers.etag]).toEqual([200, `"${file.digest.replace('_', ':')}"`]);
      await mustServe(assetId, file);
      expect(await both.scene.create(file)).toBe(assetId);
      expect((await put(other, file)).status).toBe(200);
      if (file.bytes.length > 0) expect((await put(url, fileOf(file.bytes.length))).status).toBe(422);
      await mustServe(assetId, file);
    }
  });

  test.each(Object.entries(refusals))(
    'a PUT with %s is refused and stores nothing',
    async (_what, [sent, status, message]) => {
      const file = fileOf(200_000);
      const { assetId, url } = await begin(file);
      const answer = await callUrl(url, { method: 'PUT', ...sent(file.bytes) });
      expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringMatching(message)]);
      expect([await both.scene.stateOf(assetId), both.storedCount(file)]).toEqual(['Dangling Unknown', 0]);
      expect((await put(url, file)).status).toBe(200);
      await mustServe(assetId, file);
    },
  );

  test('an upload in parts goes on where it was, over cuts, new URLs and another hub', async () => {
    const file = fileOf(uploadPartBytes + 3_000_000);
    const { assetId, url, other } = await begin(file);
    expect(await offsetOf(url)).toBe(0);
    for (let at = 0; at < 2_000_000; at += 1_000_000) {
      const { status, headers } = await append(url, at, file.bytes.subarray(at, at + 1_000_000));
      expect([status, headers['upload-offset'], headers['tus-resumable']]).toEqual([
        204,
        String(at + 1_000_000),
        '1.0.0',
      ]);
      const expiresAt = Date.parse(String(headers['upload-expires']));
      expect(Math.abs(expiresAt - Date.now() - unfinishedUploadMs)).toBeLessThan(60_000);
    }
    const rest = file.bytes.subarray(2_000_000);
    const sent = rest.subarray(0, uploadPartBytes);
    await leavePart(both.scene.hub, { url, offset: 2_000_000, length: rest.length, sent });
    expect(await offsetOf(url)).toBeGreaterThan(uploadPartBytes);
    // What is behind the last whole part for a store is at the hub that has received it.
    const offset = await offsetOf(other);
    expect(offset).toBeGreaterThanOrEqual(uploadPartBytes);
    const { pathname, search } = new URL(await both.scene.uploadUrl(assetId));
    const newUrl = `${both.hubs[1].url}${pathname}${search}`;
    const last = await append(newUrl, offset, file.bytes.subarray(offset));
    expect([last.status, last.headers['upload-expires']]).toEqual([204, undefined]);
    expect(await offsetOf(url)).toBe(file.bytes.length);
    await mustServe(assetId, file);
    expect((await put(newUrl, file)).status).toBe(200);
  });

  test('a part with its checksum is kept only if it matches', async () => {
    // More than a store takes as a part at once.
    const half = uploadPartBytes + 1000;
    const file = fileOf(half + 1000);
    const { assetId, url, other } = await begin(file);
    const checksumOf = (bytes: Buffer) => ({
      'upload-checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}`,
    });
    const first = file.bytes.subarray(0, half);
    expect((await append(url, 0, first, checksumOf(file.bytes))).status).toBe(460);
    expect([await offsetOf(url), await offsetOf(other)]).toEqual([0, 0]);
    expect((await append(url, 0, first, { 'upload-checksum': 'md5 aGVsbG8=' })).status).toBe(400);
    expect((await append(url, 0, first, checksumOf(first))).status).toBe(204);
    expect((await append(url, half, file.bytes.subarray(half))).status).toBe(204);
    await mustServe(assetId, file);
  });

  test('a part at another offset, one that is too long, and a request that is no part are refused', async () => {
    const file = fileOf(1000);
    const { assetId, url } = await begin(file);
    const behind = await append(url, 5, file.bytes.subarray(5));
    expect([behind.status, behind.headers['upload-offset']]).toEqual([409, '0']);
    expect((await append(url, 0, fileOf(1001).bytes)).status).toBe(413);
    const { 'content-type': _type, ...untyped } = tusPart(0);
    expect((await callUrl(url, { method: 'PATCH', headers: untyped, body: file.bytes })).status).toBe(415);
    const { 'tus-resumable': _version, ...unversioned } = tusPart(0);
    expect((await callUrl(url, { method: 'PATCH', headers: unversioned, body: file.bytes })).status).toBe(
      412,
    );
    for (const offset of ['-1', 'x', '', '1e3'])
      expect((await append(url, 0, file.bytes, { 'upload-offset': offset })).status).toBe(400);
    expect((await append(url, 0, file.bytes)).status).toBe(204);
    await mustServe(assetId, file);
  });

  test('other bytes than announced are discarded at the end, also at another hub, and the upload begins again', async () => {
    const file = fileOf(2000);
    const { assetId, url, other } = await begin(file);
    const wrong = fileOf(2000).bytes;
    expect((await append(url, 0, wrong)).status).toBe(422);
    expect([await offsetOf(url), both.storedCount(file)]).toEqual([0, 0]);
    expect((await append(url, 0, wrong.subarray(0, 1000))).status).toBe(204);
    const at = await offsetOf(other);
    expect((await append(other, at, wrong.subarray(at))).status).toBe(422);
    expect(await offsetOf(other)).toBe(0);
    expect((await append(url, 0, file.bytes)).status).toBe(204);
    await mustServe(assetId, file);
  });

  test('a client that gives up can have its bytes deleted, and an empty file needs no part', async () => {
    const { url } = await begin(fileOf(1000));
    await append(url, 0, fileOf(10).bytes);
    expect((await callUrl(url, { method: 'DELETE', headers: tus })).status).toBe(204);
    expect(await offsetOf(url)).toBe(0);
    const empty = fileWith(Buffer.alloc(1)).bytes.subarray(1);
    const { assetId, url: emptyUrl } = await both.scene.begin(fileWith(empty));
    expect(await offsetOf(emptyUrl)).toBe(0);
    await mustServe(assetId, fileWith(empty));
    const { status, headers } = await callUrl(url, { method: 'OPTIONS' });
    expect([status, headers['tus-version'], headers['tus-extension']]).toEqual([
      204,
      '1.0.0',
      'checksum,expiration,termination',
    ]);
  });

  test.each(['PUT', 'PATCH'] as const)(
    'a %s whose connection is lost is sent again at once, at either hub',
    async (method) => {
      const length = 3_000_000;
      for (let index = 0; index < rounds; index += 1)
        for (const lose of losses) {
          const file = fileOf(length);
          const { assetId, url, other } = await begin(file);
          const again = index % 2 === 0 ? url : other;
          const sent = file.bytes.subarray(0, Math.floor((length * (index + 0.5)) / rounds));
          const socket = await sendPart({ url, method, length, sent });
          if (method === 'PATCH') await both.scene.untilLeased(assetId);
          lose(socket);
          const offset = method === 'PATCH' ? await offsetOf(again) : 0;
          const rest = await (method === 'PUT'
            ? put(again, file)
            : append(again, offset, file.bytes.subarray(offset)));
          expect([rest.status, rest.bytes.toString()]).toEqual([method === 'PUT' ? 200 : 204, '']);
          await mustServe(assetId, file);
        }
    },
  );
});

test('a URL allows nothing else: altered, of another asset, for another method, or expired', async () => {
  await using scene = await assetScene();
  const file = fileOf(1000);
  const [mine, other] = [await scene.begin(file), await scene.begin(fileOf(1000))];
  const refused = async (url: string, method: string): Promise<string> => {
    const answer = await callUrl(url, method === 'GET' ? {} : { method, body: file.bytes });
    expect(answer.status).toBe(403);
    return messageOf(answer);
  };
  const altered = /not valid for this/;
  expect(await refused(mine.url.replace(mine.assetId, other.assetId), 'PUT')).toMatch(altered);
  expect(await refused(mine.url.replace(/expires=\d+/, 'expires=9999999999'), 'PUT')).toMatch(altered);
  expect(await refused(mine.url.replace(/signature=./, 'signature=!'), 'PUT')).toMatch(altered);
  expect(await refused(mine.url, 'GET')).toMatch(altered);
  expect(await refused(`${scene.hub.url}/r/assets/${mine.assetId}`, 'PUT')).toMatch(altered);
  expect(await refused(mine.url.replace(/key=[^&]+/, 'key=AAAAAAAA'), 'PUT')).toMatch(/no longer has/);
  await put(mine.url, file);
  const download = await scene.downloadUrl(mine.assetId);
  expect(await refused(download, 'PUT')).toMatch(altered);
  expect((await append(download, 0, file.bytes)).status).toBe(403);
  const signedIn = { headers: { authorization: 'Bearer u_sk_nonsense', cookie: '__Host-session=x' } };
  expect((await callUrl(download, signedIn)).status).toBe(200);
  scene.hub.advance(3601);
  expect(await refused(mine.url, 'PUT')).toMatch(/has expired. Ask the hub for a new one/);
});

test('a client that sends no length, stands still, or sends a byte now and then, is ended', async () => {
  const upload = { stallMs: 400, windowMs: 1_500, minWindowBytes: 5_000 };
  await using scene = await assetScene({ transferLimits: { upload, checkEveryMs: 50 } });
  const file = fileOf(200_000);
  const { url } = await scene.begin(file);
  const sent = file.bytes.subarray(0, 1000);
  const statusOf = async (length: number | undefined, everyMs?: number): Promise<string> => {
    const socket = await sendPart({ url, length, sent: length === undefined ? Buffer.alloc(0) : sent });
    const timer = everyMs === undefined ? undefined : setInterval(() => socket.write('x'), everyMs);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await expect.poll(() => text).not.toBe('');
    clearInterval(timer);
    socket.destroy();
    return text;
  };
  expect(await statusOf(undefined)).toMatch(/^HTTP\/1.1 411 /);
  expect(await statusOf(file.bytes.length)).toMatch(/^HTTP\/1.1 408 /);
  expect(await statusOf(file.bytes.length, 50)).toMatch(/^HTTP\/1.1 408 /);
  // A machine that stands still for as long looks like such a client.
  await expect.poll(async () => (await put(url, file)).status).toBe(200);
});
