import { brotliDecompressSync } from 'node:zlib';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpHub, type HttpHub } from '../../../test/http-hub.ts';

const page = '<!doctype html><title>Corral</title>';
const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const hashed = '/assets/index-C8HcKwNU.js';

describe('the console', () => {
  let hub: HttpHub;
  beforeAll(async () => {
    hub = await httpHub();
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  test.each(['/', '/login', '/projects/p_123/devices?q=1', '/index.html/..'])(
    'answers a visit of %s with its page, never cached',
    async (path) => {
      const answer = await hub.call(path, { headers: navigation });
      expect([answer.status, answer.text]).toEqual([200, page]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-corral-version': '1.2.3',
      });
      expect(answer.headers['content-security-policy']).toContain("script-src 'self';");
      expect(answer.headers['strict-transport-security']).toBeUndefined();
    },
  );

  test('caches files with a hash in their name for a year', async () => {
    const { status, headers } = await hub.call(hashed);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toMatch(/javascript/);
  });

  test('requires revalidation of other files', async () => {
    const answer = await hub.call('/theme-init.js');
    expect(answer.headers['cache-control']).toBe('no-cache');
    const again = await hub.call('/theme-init.js', {
      headers: { 'if-none-match': String(answer.headers.etag) },
    });
    expect(again.status).toBe(304);
  });

  test('compresses only files that shrink enough', async () => {
    const body = await brotliOf(hub.url + hashed);
    expect(body.length).toBeLessThan(1000);
    expect(brotliDecompressSync(body).toString()).toContain('corral corral');
  });

  test('sends precompressed files as they are, and the uncompressed file to clients without brotli', async () => {
    const body = await brotliOf(`${hub.url}/assets/core-DkDxTh6C.js`);
    expect(brotliDecompressSync(body).toString()).toBe('// made small by the build');
    const { text, headers } = await hub.call('/assets/core-DkDxTh6C.js');
    expect(text).toBe('// as it is');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toMatch(/javascript/);
  });

  test.each([
    ['a visitor', {}, '</assets/sign-in-1.js>; rel=modulepreload'],
    ['a session', { cookie: '__Host-session=anything' }, '</assets/signed-in-2.js>; rel=modulepreload'],
  ])('announces to %s the code of the first screen', async (_who, cookie, link) => {
    for (const path of ['/', '/projects']) {
      const answer = await hub.call(path, { headers: { ...navigation, ...cookie } });
      expect(answer.headers.link).toBe(link);
    }
    expect((await hub.call(hashed, { headers: cookie })).headers.link).toBeUndefined();
  });

  test.each([
    ['/assets/gone-00000000.js', navigation],
    ['/favicon.ico', { accept: 'image/*' }],
    ['/assets/..%2f..%2fpackage.json', {}],
    ['/.sources', {}],
    ['/.source-maps/core-DkDxTh6C.js.map', {}],
  ])('answers %s with 404', async (path, headers) => {
    const answer = await hub.call(path, { headers });
    expect([answer.status, answer.text]).toEqual([404, 'Not Found\n']);
  });

  test('answers an address that cannot be read with a sentence', async () => {
    const answer = await hub.call('/%zz');
    expect([answer.status, answer.json['message']]).toEqual([
      400,
      'The address of the request is malformed.',
    ]);
  });
});

test('a hub without a built console says so', async () => {
  await using hub = await httpHub({ hasConsole: false });
  const answer = await hub.call('/login', { headers: navigation });
  expect(answer.status).toBe(503);
  expect(answer.text).toBe(
    'The console has not been built here. The API is described at /api/openapi.json.\n',
  );
});

function brotliOf(url: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip, br' } }, (response) => {
      expect(response.headers['content-encoding']).toBe('br');
      expect(response.headers.vary).toMatch(/accept-encoding/i);
      expect(response.headers['cache-control']).toContain('immutable');
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve(Buffer.concat(chunks)));
    }).on('error', reject);
  });
}
