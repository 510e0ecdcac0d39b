import { connect } from 'node:net';
import { ids } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  assetScene,
  callUrl,
  fileOf,
  fileWith,
  type AssetScene,
  type TestFile,
} from '../../../test/asset-scene.ts';

let scene: AssetScene;
beforeAll(async () => {
  scene = await assetScene({ transferLimits: { uploads: { ofCaller: 4, waiting: 0 }, busyWaitMs: 300 } });
});
afterAll(() => scene[Symbol.asyncDispose]());

const messageOf = (bytes: Buffer): string => (JSON.parse(bytes.toString()) as { message: string }).message;

async function begun(file: TestFile = fileOf(200_000), { create, uploadUrl } = scene) {
  const assetId = await create(file);
  return { file, assetId, url: await uploadUrl(assetId) };
}

async function mustBeServed(
  assetId: Parameters<AssetScene['downloadUrl']>[0],
  file: TestFile,
): Promise<void> {
  const { status, bytes } = await callUrl(await scene.downloadUrl(assetId));
  expect(status).toBe(200);
  expect(bytes.equals(file.bytes)).toBe(true);
}

test('one PUT with a length makes the asset available, as clients of every generation expect', async () => {
  for (const file of [fileOf(200_000), fileOf(3_000_001), fileWith(Buffer.alloc(0))]) {
    const { assetId, url } = await begun(file);
    expect((await scene.details(assetId)).status).toBe('Dangling');
    const answer = await callUrl(url, { method: 'PUT', body: file.bytes });
    expect(answer.status).toBe(200);
    expect(answer.headers.etag).toBe(`"${file.digest.replace('_', ':')}"`);
    expect(await scene.details(assetId)).toMatchObject({
      status: 'Available',
      storage: { status: 'Verified' },
    });
    await mustBeServed(assetId, file);
  }
});

test('the same bytes once more are accepted and not stored, other bytes are refused', async () => {
  const { file, assetId, url } = await begun();
  await callUrl(url, { method: 'PUT', body: file.bytes });
  expect(await scene.create(file)).toBe(assetId);
  expect((await callUrl(url, { method: 'PUT', body: file.bytes })).status).toBe(200);
  const other = await callUrl(url, { method: 'PUT', body: fileOf(file.bytes.length).bytes });
  expect(other.status).toBe(422);
  await mustBeServed(assetId, file);
});

describe('refused, with nothing stored', () => {
  const cases: [
    string,
    (file: TestFile) => { headers?: Record<string, string>; body: Buffer },
    number,
    RegExp,
  ][] = [
    [
      'another digest',
      ({ bytes }) => ({ body: fileOf(bytes.length).bytes }),
      422,
      /sha256_\w{64} instead of the announced sha256_\w{64}/,
    ],
    [
      'fewer bytes',
      ({ bytes }) => ({ body: bytes.subarray(1) }),
      400,
      /has 200000 bytes, but Content-Length is 199999/,
    ],
    [
      'more bytes',
      ({ bytes }) => ({ body: Buffer.concat([bytes, Buffer.from('x')]) }),
      413,
      /Content-Length is 200001/,
    ],
    [
      'chunked encoding',
      ({ bytes }) => ({ body: bytes, headers: { 'transfer-encoding': 'chunked' } }),
      411,
      /Content-Length/,
    ],
    [
      'a content encoding',
      ({ bytes }) => ({ body: bytes, headers: { 'content-encoding': 'gzip' } }),
      415,
      /without Content-Encoding/,
    ],
    [
      'the headers of another asset',
      ({ bytes }) => ({ body: bytes, headers: { 'x-amz-meta-nexigon-digest': `sha256_${'0'.repeat(64)}` } }),
      400,
      /another asset/,
    ],
  ];
  test.each(cases)('%s', async (_what, made, status, message) => {
    const { file, assetId, url } = await begun();
    const answer = await callUrl(url, { method: 'PUT', ...made(file) });
    expect({ status: answer.status, message: messageOf(answer.bytes) }).toEqual({
      status,
      message: expect.stringMatching(message),
    });
    expect((await scene.details(assetId)).status).toBe('Dangling');
    expect((await callUrl(url, { method: 'PUT', body: file.bytes })).status).toBe(200);
    await mustBeServed(assetId, file);
  });

  test('no length at all', async () => {
    const { url } = await begun();
    expect(await rawStatus(url, '', Buffer.alloc(0))).toMatch(/^HTTP\/1.1 411 /);
  });
});

describe('a URL allows nothing else', () => {
  test('altered, of another asset, for another method, or expired', async () => {
    const [mine, other] = [await begun(), await begun()];
    const body = mine.file.bytes;
    const refused = async (url: string, method: string): Promise<string> => {
      const { status, bytes } = await callUrl(url, method === 'GET' ? {} : { method, body });
      expect(status).toBe(403);
      return messageOf(bytes);
    };
    const altered = /not valid for this/;
    expect(await refused(mine.url.replace(mine.assetId, other.assetId), 'PUT')).toMatch(altered);
    expect(await refused(mine.url.replace(/expires=\d+/, 'expires=9999999999'), 'PUT')).toMatch(altered);
    expect(await refused(mine.url.replace(/signature=./, 'signature=!'), 'PUT')).toMatch(altered);
    expect(await refused(mine.url, 'GET')).toMatch(altered);
    expect(await refused(`${scene.hub.url}/r/assets/${mine.assetId}`, 'PUT')).toMatch(altered);
    expect(await refused(mine.url.replace(/key=[^&]+/, 'key=AAAAAAAA'), 'PUT')).toMatch(/no longer has/);
    await callUrl(mine.url, { method: 'PUT', body });
    expect(await refused(await scene.downloadUrl(mine.assetId), 'PUT')).toMatch(altered);
    const signedIn = { headers: { authorization: 'Bearer u_sk_nonsense', cookie: '__Host-session=x' } };
    expect((await callUrl(await scene.downloadUrl(mine.assetId), signedIn)).status).toBe(200);
    scene.hub.advance(3601);
    expect(await refused(mine.url, 'PUT')).toMatch(/has expired. Ask the hub for a new one/);
  });
});

test.each([1, 50, 99])(
  'a client that leaves after %i percent leaves nothing behind, and can begin again',
  async (percent) => {
    const { file, assetId, url } = await begun();
    const part = file.bytes.subarray(0, Math.floor((file.bytes.length * percent) / 100));
    await sendAndLeave(url, `content-length: ${file.bytes.length}\r\n`, part);
    expect((await callUrl(url, { method: 'PUT', body: file.bytes })).status).toBe(200);
    await mustBeServed(assetId, file);
  },
);

test('a client that stands still, or sends a byte now and then, is ended', async () => {
  const upload = { stallMs: 400, windowMs: 1_500, minWindowBytes: 5_000 };
  await using hasty = await assetScene({ transferLimits: { upload, checkEveryMs: 50 } });
  const { file, url } = await begun(fileOf(200_000), hasty);
  const length = `content-length: ${file.bytes.length}\r\n`;
  expect(await rawStatus(url, length, file.bytes.subarray(0, 1000))).toMatch(/^HTTP\/1.1 408 /);
  expect(await rawStatus(url, length, file.bytes.subarray(0, 1000), 50)).toMatch(/^HTTP\/1.1 408 /);
  // A machine that stands still for as long looks like such a client.
  await expect.poll(async () => (await callUrl(url, { method: 'PUT', body: file.bytes })).status).toBe(200);
});

test('a second writer of an asset waits a moment, and is then told when to come again', async () => {
  const { file, assetId, url } = await begun();
  const first = await holdOpen(url, `content-length: ${file.bytes.length}\r\n`, file.bytes.subarray(0, 1000));
  const { db } = scene.hub.database;
  const leased = db
    .selectFrom('assets')
    .select('upload_lease')
    .where('asset_id', '=', ids.asset.raw(assetId));
  await expect.poll(async () => (await leased.executeTakeFirst())?.upload_lease).not.toBeNull();
  const second = await callUrl(url, { method: 'PUT', body: file.bytes });
  expect([second.status, Number(second.headers['retry-after']) > 0]).toEqual([409, true]);
  first.end(file.bytes.subarray(1000));
  await expect.poll(async () => (await scene.details(assetId)).status).toBe('Available');
  await mustBeServed(assetId, file);
});

test('the uploads of one client are limited', async () => {
  const held = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const { url, file } = await begun();
      return holdOpen(url, `content-length: ${file.bytes.length}\r\n`, file.bytes.subarray(0, 10_000));
    }),
  );
  await expect.poll(() => scene.hub.transfers.counts.uploads).toBe(4);
  const { url, file } = await begun();
  const fifth = await callUrl(url, { method: 'PUT', body: file.bytes });
  expect([fifth.status, fifth.headers['retry-after']]).toEqual([429, '5']);
  for (const socket of held) socket.destroy();
  await expect.poll(() => scene.hub.transfers.counts.uploads).toBe(0);
});

/** Opens a connection and sends a PUT of which the rest may follow. */
async function holdOpen(url: string, headers: string, body: Buffer) {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}\r\n${headers}\r\n`);
  await new Promise<void>((resolve) => socket.write(body, () => resolve()));
  return socket;
}

async function sendAndLeave(url: string, headers: string, body: Buffer): Promise<void> {
  const socket = await holdOpen(url, headers, body);
  socket.destroy();
}

/** Sends the head and a part of the body, then one byte each `everyMs` if given, and returns the answer. */
async function rawStatus(url: string, headers: string, body: Buffer, everyMs?: number): Promise<string> {
  const socket = await holdOpen(url, headers, body);
  const timer = everyMs === undefined ? undefined : setInterval(() => socket.write('x'), everyMs);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => text).not.toBe('');
  clearInterval(timer);
  socket.destroy();
  return text;
}
