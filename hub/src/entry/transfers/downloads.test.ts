import { once } from 'node:events';
import { request as requestUrl, type IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Id } from '@corral/contract';
import { assetScene, callUrl, fileOf, fileWith, type AssetScene } from '../../../test/asset-scene.ts';

let scene: AssetScene;
let assetId: Id<'asset'>;
let url: string;
const file = fileOf(100_000);
const etag = `"${file.digest.replace('_', ':')}"`;
beforeAll(async () => {
  scene = await assetScene();
  assetId = await scene.upload(file);
  url = await scene.downloadUrl(assetId);
});
afterAll(() => scene[Symbol.asyncDispose]());

const get = (headers: Record<string, string> = {}, method = 'GET') => callUrl(url, { headers, method });
const slice = (start: number, end: number): Buffer => file.bytes.subarray(start, end + 1);

test('the whole, with what caches and browsers need to know', async () => {
  const { status, headers, bytes } = await get();
  expect(status).toBe(200);
  expect(bytes.equals(file.bytes)).toBe(true);
  expect(headers).toMatchObject({
    etag,
    'accept-ranges': 'bytes',
    'content-length': '100000',
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
    'cache-control': 'private, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/^sandbox;/),
    'repr-digest': `sha-256=:${Buffer.from(file.digest.slice(7), 'hex').toString('base64')}:`,
  });
  const head = await get({}, 'HEAD');
  expect([head.status, head.bytes.length, head.headers.etag, head.headers['content-length']]).toEqual([
    200,
    0,
    etag,
    '100000',
  ]);
});

describe('ranges as RFC 9110 has them', () => {
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=99999-', 99_999, 99_999],
    ['bytes=500-', 500, 99_999],
    ['bytes=-1', 99_999, 99_999],
    ['bytes=-500000', 0, 99_999],
    ['bytes=99999-200000', 99_999, 99_999],
    ['BYTES= 5-9 ', 5, 9],
    ['bytes=5-9,7-20', 5, 20],
    ['bytes=0-9,200000-', 0, 9],
  ])('%s', async (range, start, end) => {
    const { status, headers, bytes } = await get({ range });
    expect([status, headers['content-range']]).toEqual([206, `bytes ${start}-${end}/100000`]);
    expect(bytes.equals(slice(start, end))).toBe(true);
  });

  test.each(['bytes=100000-', 'bytes=200000-300000', 'bytes=-0'])('%s is beyond the end', async (range) => {
    const { status, headers } = await get({ range });
    expect([status, headers['content-range']]).toEqual([416, 'bytes */100000']);
  });

  test.each([
    'bytes=5-4',
    'bytes=',
    'bytes=x',
    'bytes=1-2-3',
    'items=0-1',
    'bytes 0-1',
    `bytes=${Array.from({ length: 17 }, (_, n) => `${n * 10}-${n * 10 + 1}`).join(',')}`,
  ])('%s is ignored', async (range) => {
    const { status, bytes } = await get({ range });
    expect([status, bytes.length]).toEqual([200, 100_000]);
  });

  test('several parts come as multipart/byteranges, in the order of the request', async () => {
    const { status, headers, bytes } = await get({ range: 'bytes=900-909,0-4,-3' });
    expect(status).toBe(206);
    expect(Number(headers['content-length'])).toBe(bytes.length);
    const boundary = /^multipart\/byteranges; boundary=(\w+)$/.exec(headers['content-type'] ?? '')?.[1];
    expect(partsOf(bytes, boundary ?? '')).toEqual([
      { range: 'bytes 900-909/100000', bytes: slice(900, 909) },
      { range: 'bytes 0-4/100000', bytes: slice(0, 4) },
      { range: 'bytes 99997-99999/100000', bytes: slice(99_997, 99_999) },
    ]);
  });

  test('any range of any file is that part of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(120_000), fc.nat(120_000), async (start, length) => {
        const { status, bytes } = await get({ range: `bytes=${start}-${start + length}` });
        if (start >= 100_000) return void expect(status).toBe(416);
        expect(status).toBe(206);
        expect(bytes.equals(slice(start, Math.min(start + length, 99_999)))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test('an empty file has no parts', async () => {
    const empty = await scene.downloadUrl(await scene.upload(fileWith(Buffer.alloc(0))));
    expect((await callUrl(empty, { headers: { range: 'bytes=0-' } })).status).toBe(416);
    expect((await callUrl(empty)).status).toBe(200);
  });
});

test('preconditions decide as RFC 9110 says', async () => {
  const range = 'bytes=0-9';
  const statusOf = async (headers: Record<string, string>) => (await get(headers)).status;
  expect(await statusOf({ 'if-none-match': etag })).toBe(304);
  expect(await statusOf({ 'if-none-match': `"x", W/${etag}` })).toBe(304);
  expect(await statusOf({ 'if-none-match': '*' })).toBe(304);
  expect(await statusOf({ 'if-none-match': '"x"' })).toBe(200);
  expect(await statusOf({ 'if-match': '"x"' })).toBe(412);
  expect(await statusOf({ 'if-match': etag })).toBe(200);
  expect(await statusOf({ range, 'if-range': etag })).toBe(206);
  expect(await statusOf({ range, 'if-range': '"x"' })).toBe(200);
  expect(await statusOf({ range, 'if-range': 'Fri, 20 Nov 2026 12:00:00 GMT' })).toBe(200);
});

test.each([
  ['image.bin', 'attachment; filename="image.bin"'],
  ['../../etc/passwd', 'attachment; filename="passwd"'],
  ['a\\b', 'attachment; filename="b"'],
  ['..', 'attachment'],
  ['x\r\nSet-Cookie: a=b', 'attachment; filename="xSet-Cookie: a=b"'],
  ['a"b;c', `attachment; filename="a_b_c"; filename*=UTF-8''a%22b%3Bc`],
  ['100%2f', `attachment; filename="100_2f"; filename*=UTF-8''100%252f`],
  ['évil', `attachment; filename="_vil"; filename*=UTF-8''%C3%A9vil`],
  ['gpj.\u202Eexe', `attachment; filename="gpj.exe"`],
  ["it's (1)*", `attachment; filename="it's (1)*"`],
  ['CON', 'attachment; filename="CON"'],
])('the name %j is saved safely', async (filename, header) => {
  const named = await scene.downloadUrl(assetId, filename);
  expect((await callUrl(named, { method: 'HEAD' })).headers['content-disposition']).toBe(header);
});

test('a long name is cut to what file systems take', async () => {
  const named = await scene.downloadUrl(assetId, 'é'.repeat(256));
  const header = String((await callUrl(named, { method: 'HEAD' })).headers['content-disposition']);
  expect(decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? '')).toBe('é'.repeat(127));
});

test('a resumed download goes on with a new URL, and has the digest of the asset', async () => {
  const first = (await get({ range: 'bytes=0-40000' })).bytes;
  scene.hub.advance(901);
  const expired = await get({ range: 'bytes=40001-' });
  expect([expired.status, expired.bytes.toString()]).toEqual([
    403,
    expect.stringContaining('Ask the hub for a new one'),
  ]);
  url = await scene.downloadUrl(assetId);
  const rest = (await get({ range: 'bytes=40001-', 'if-range': etag })).bytes;
  expect(fileWith(Buffer.concat([first, rest])).digest).toBe(file.digest);
});

describe('the slots of downloads', () => {
  let crowded: AssetScene;
  let publicUrl: string;
  let signedUrl: string;
  const open: IncomingMessage[] = [];
  // More than the systems of both sides keep for a client that reads nothing.
  const large = fileWith(Buffer.alloc(33_554_432, 1));
  beforeAll(async () => {
    crowded = await assetScene({
      env: { CORRAL_TRUSTED_PROXIES: '127.0.0.1', CORRAL_TRUSTED_PROXY_HEADER: 'on' },
      transferLimits: {
        downloads: { inAll: 4, ofCaller: 2, waiting: 0 },
        publicFiles: { inAll: 3, ofCaller: 2, waiting: 0 },
      },
    });
    const id = await crowded.upload(large);
    signedUrl = await crowded.downloadUrl(id);
    publicUrl = `${await crowded.publish({ x: id })}/x`;
  });
  afterEach(async () => {
    for (const response of open.splice(0)) response.destroy();
    await expect.poll(() => crowded.hub.transfers.counts.downloads).toBe(0);
  });
  afterAll(() => crowded[Symbol.asyncDispose]());

  /** Begins a download from an address and reads nothing of it. */
  async function begin(at: string, address: string): Promise<IncomingMessage> {
    const request = requestUrl(at, { agent: false, headers: { 'x-forwarded-for': address } });
    request.on('error', () => {}).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    open.push(response);
    return response;
  }
  const statusOf = async (at: string, address: string) => (await begin(at, address)).statusCode;

  test('are counted for a whole IPv6 /64, and for another network apart', async () => {
    expect(await statusOf(signedUrl, '2001:db8::1')).toBe(200);
    expect(await statusOf(signedUrl, '2001:db8::2')).toBe(200);
    const refused = await begin(signedUrl, '2001:db8::3');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
    expect(await statusOf(signedUrl, '2001:db8:0:1::1')).toBe(200);
  });

  test('are taken by public files up to three quarters, so that signed URLs find room', async () => {
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      expect(await statusOf(publicUrl, address)).toBe(200);
    const refused = await begin(publicUrl, '203.0.113.4');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(await statusOf(signedUrl, '203.0.113.4')).toBe(200);
    expect(await statusOf(signedUrl, '203.0.113.5')).toBe(503);
    open.shift()?.destroy();
    await expect.poll(() => statusOf(publicUrl, '203.0.113.6')).toBe(200);
  });
});

function partsOf(bytes: Buffer, boundary: string) {
  const text = bytes.toString('latin1');
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n');
      const content = body.join('\r\n\r\n').slice(0, -2);
      return { range: /content-range: (.*)/.exec(head)?.[1], bytes: Buffer.from(content, 'latin1') };
    });
}
