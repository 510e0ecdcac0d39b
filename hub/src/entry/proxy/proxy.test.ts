import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proxiedDevice, type ProxiedDevice, type ProxiedPort } from '../../../test/proxied-device.ts';

let device: ProxiedDevice;
let echo: ProxiedPort;
/** Extra response headers of the device, by path. */
const extraHeaders = new Map<string, (request: IncomingMessage) => string[]>();

beforeAll(async () => {
  device = await proxiedDevice();
  const port = await device.serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url = '', rawHeaders } = request;
      const headers = extraHeaders.get(url)?.(request) ?? [];
      response.writeHead(200, ['content-type', 'application/json', ...headers]);
      response.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(chunks).toString() }));
    });
  });
  echo = await device.enter(port);
});
afterAll(() => device[Symbol.asyncDispose]());

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: string[];
  readonly body: string;
}

/** The request as the device received it. */
async function received(path: string, options?: Parameters<ProxiedPort['ask']>[1]): Promise<ReceivedRequest> {
  const { status, text } = await echo.ask(path, options);
  expect(status, text).toBe(200);
  return JSON.parse(text) as ReceivedRequest;
}

const namesOf = ({ rawHeaders }: { readonly rawHeaders: readonly string[] }): string[] =>
  rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
const valueOf = ({ rawHeaders }: ReceivedRequest, name: string): string | undefined =>
  rawHeaders[rawHeaders.findIndex((header, index) => index % 2 === 0 && header.toLowerCase() === name) + 1];

describe('a request', () => {
  test('arrives with its method, path, body and headers', async () => {
    const request = await received('/a%20b?c=d&token=mine', {
      method: 'POST',
      headers: { 'content-length': '5', 'x-own': 'kept', authorization: 'Basic ZGV2aWNlOmFkbWlu' },
      body: 'hello',
    });
    expect(request).toMatchObject({ method: 'POST', url: '/a%20b?c=d&token=mine', body: 'hello' });
    expect(valueOf(request, 'x-own')).toBe('kept');
    expect(valueOf(request, 'authorization')).toBe('Basic ZGV2aWNlOmFkbWlu');
    expect(valueOf(request, 'host')).toBe(echo.host);
  });

  test('with a chunked body arrives with the framing rebuilt', async () => {
    const request = await received('/', {
      method: 'PUT',
      headers: { 'transfer-encoding': 'chunked' },
      body: 'streamed',
    });
    expect(request.body).toBe('streamed');
    expect(namesOf(request)).not.toContain('content-length');
  });

  test("carries the device's cookies, but no cookie or token of the hub", async () => {
    const request = await received('/', {
      headers: {
        cookie: `a=1; ${device.member.cookie}; theme=dark; __host-PROXY=x`,
        authorization: `Bearer u_sk_${'a'.repeat(66)}`,
      },
    });
    expect(valueOf(request, 'cookie')).toBe('a=1; theme=dark');
    expect(namesOf(request)).not.toContain('authorization');
    expect(namesOf(await received('/'))).not.toContain('cookie');
  });

  test('carries no hop-by-hop headers and no forged headers', async () => {
    const hop = [
      'connection',
      'keep-alive',
      'proxy-authorization',
      'proxy-connection',
      'te',
      'x-nominated',
      'x-forwarded-for',
      'x_forwarded_for',
      'x-forwarded-proto',
      'x-client-cert',
      'x-deployment-token',
      'forwarded',
      'x-real-ip',
      'expect',
    ];
    const request = await received('/', {
      headers: {
        ...Object.fromEntries(hop.map((name) => [name, 'forged'])),
        'x-client-cert': '',
        expect: '100-continue',
        connection: 'keep-alive, X-Nominated',
      },
    });
    expect(valueOf(request, 'x-forwarded-proto')).toBe('http');
    expect(valueOf(request, 'x-forwarded-host')).toBe(echo.host);
    expect(valueOf(request, 'connection')).toBe('keep-alive');
    const ours = ['x-forwarded-proto', 'connection'];
    expect(namesOf(request).filter((name) => hop.includes(name) && !ours.includes(name))).toEqual([]);
  });

  test('without the cookie gets 403', async () => {
    const { status, headers, text } = await echo.ask('/', {
      isStranger: true,
      headers: { accept: 'text/html' },
    });
    expect(status).toBe(403);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('Open this page from Corral');
    const plain = await echo.ask('/', { isStranger: true });
    expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(plain.text).not.toContain('<');
  });

  test('of another site or of another device is refused unless it is a navigation', async () => {
    const from = (site: string, mode: string, dest: string) =>
      echo.ask('/', {
        headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest },
      });
    expect((await from('same-origin', 'cors', 'empty')).status).toBe(200);
    expect((await from('cross-site', 'navigate', 'document')).status).toBe(200);
    expect((await from('same-site', 'cors', 'empty')).status).toBe(403);
    expect((await from('same-site', 'no-cors', 'image')).status).toBe(403);
    expect((await from('cross-site', 'navigate', 'iframe')).status).toBe(403);
    const write = (origin: string) => echo.ask('/', { method: 'POST', headers: { origin }, body: 'x' });
    expect((await write(`http://${echo.host}`)).status).toBe(200);
    expect((await write('http://elsewhere.example')).status).toBe(403);
  });

  test('with the method TRACE is refused', async () => {
    expect((await echo.ask('/', { method: 'TRACE' })).status).toBe(405);
  });
});

describe('a response', () => {
  test("keeps the device's headers, cookies and repeated headers", async () => {
    extraHeaders.set('/kept', () => [
      'x-own',
      'a',
      'X-Own',
      'b',
      'set-cookie',
      'sid=1; Path=/',
      'set-cookie',
      'theme=dark',
    ]);
    const { headers } = await echo.ask('/kept');
    expect(headers['x-own']).toBe('a, b');
    expect(headers['set-cookie']).toEqual(['sid=1; Path=/', 'theme=dark']);
    expect(headers['origin-agent-cluster']).toBe('?1');
  });

  test('sets no cookie for other hosts and none with a name of the hub', async () => {
    extraHeaders.set('/cookies', () =>
      [
        'good=1',
        'wide=1; Domain=proxy.localhost',
        'wider=1;DOMAIN = localhost',
        '__Host-proxy=stolen; Path=/; Secure',
        '__HOST-PROXY=stolen; Path=/; Secure',
        '=__Host-proxy=stolen; Path=/; Secure',
        ' __Host-session =stolen; Path=/; Secure',
      ].flatMap((value) => ['set-cookie', value]),
    );
    expect((await echo.ask('/cookies')).headers['set-cookie']).toEqual(['good=1']);
  });

  test('omits headers that affect the connection, other hosts or a web server in front of the hub', async () => {
    const dropped = [
      'alt-svc',
      'clear-site-data',
      'keep-alive',
      'proxy-authenticate',
      'strict-transport-security',
      'trailer',
      'upgrade',
      'x-accel-redirect',
      'x-corral-version',
      'x-nominated',
      'x-sendfile',
    ];
    extraHeaders.set('/dropped', () => [
      ...dropped.flatMap((name) => [name, 'x']),
      'connection',
      'close, x-nominated',
    ]);
    const { headers } = await echo.ask('/dropped');
    expect(dropped.filter((name) => headers[name] !== undefined && name !== 'keep-alive')).toEqual([]);
    expect(headers['keep-alive']).not.toBe('x');
  });
});
