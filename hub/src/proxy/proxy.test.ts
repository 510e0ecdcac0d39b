import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proxiedDevice, type ProxiedDevice, type ProxiedPort } from '../../test/proxied-device.ts';

let device: ProxiedDevice;
let echo: ProxiedPort;
/** Set by a test that wants its own answer of the device. */
const answers = new Map<string, (request: IncomingMessage) => string[]>();

beforeAll(async () => {
  device = await proxiedDevice();
  const port = await device.serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url = '', rawHeaders } = request;
      const headers = answers.get(url)?.(request) ?? [];
      response.writeHead(200, ['content-type', 'application/json', ...headers]);
      response.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(chunks).toString() }));
    });
  });
  echo = await device.enter(port);
});
afterAll(() => device[Symbol.asyncDispose]());

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: string[];
  readonly body: string;
}

/** What the device saw of a request. */
async function seen(path: string, options?: Parameters<ProxiedPort['ask']>[1]): Promise<Seen> {
  const { status, text } = await echo.ask(path, options);
  expect(status, text).toBe(200);
  return JSON.parse(text) as Seen;
}

const namesOf = ({ rawHeaders }: { readonly rawHeaders: readonly string[] }): string[] =>
  rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
const valueOf = ({ rawHeaders }: Seen, name: string): string | undefined =>
  rawHeaders[rawHeaders.findIndex((header, index) => index % 2 === 0 && header.toLowerCase() === name) + 1];

describe('a request on its way to the device', () => {
  test('arrives with method, path, body and its own headers', async () => {
    const request = await seen('/a%20b?c=d&token=mine', {
      method: 'POST',
      headers: { 'content-length': '5', 'x-own': 'kept', authorization: 'Basic ZGV2aWNlOmFkbWlu' },
      body: 'hello',
    });
    expect(request).toMatchObject({ method: 'POST', url: '/a%20b?c=d&token=mine', body: 'hello' });
    expect(valueOf(request, 'x-own')).toBe('kept');
    expect(valueOf(request, 'authorization')).toBe('Basic ZGV2aWNlOmFkbWlu');
    expect(valueOf(request, 'host')).toBe(echo.host);
  });

  test('a chunked body arrives, under a framing of our own', async () => {
    const request = await seen('/', {
      method: 'PUT',
      headers: { 'transfer-encoding': 'chunked' },
      body: 'streamed',
    });
    expect(request.body).toBe('streamed');
    expect(namesOf(request)).not.toContain('content-length');
  });

  test("carries no cookie and no token of ours, and the device's own cookies unharmed", async () => {
    const request = await seen('/', {
      headers: {
        cookie: `a=1; ${device.member.cookie}; theme=dark; __host-PROXY=x`,
        authorization: `Bearer u_sk_${'a'.repeat(66)}`,
      },
    });
    expect(valueOf(request, 'cookie')).toBe('a=1; theme=dark');
    expect(namesOf(request)).not.toContain('authorization');
    expect(namesOf(await seen('/'))).not.toContain('cookie');
  });

  test('carries nothing of the connection, nor what a client claims about itself', async () => {
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
    const request = await seen('/', {
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

  test('reaches the page only by the cookie of the way in', async () => {
    const { status, headers, text } = await echo.ask('/', {
      isStranger: true,
      headers: { accept: 'text/html' },
    });
    expect(status).toBe(403);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('This page opens from Corral');
    const plain = await echo.ask('/', { isStranger: true });
    expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(plain.text).not.toContain('<');
  });

  test('of another site, or of the page of another device, is refused unless it opens the page itself', async () => {
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

  test('of a method that no browser uses is refused', async () => {
    expect((await echo.ask('/', { method: 'TRACE' })).status).toBe(405);
  });
});

describe('an answer on its way to the browser', () => {
  test("keeps the device's headers, cookies and repeated names", async () => {
    answers.set('/kept', () => [
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

  test('sets no cookie for other hosts and none named like ours', async () => {
    answers.set('/cookies', () =>
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

  test('says nothing of the connection, of other hosts, or to a web server in front of the hub', async () => {
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
    answers.set('/dropped', () => [
      ...dropped.flatMap((name) => [name, 'x']),
      'connection',
      'close, x-nominated',
    ]);
    const { headers } = await echo.ask('/dropped');
    expect(dropped.filter((name) => headers[name] !== undefined && name !== 'keep-alive')).toEqual([]);
    expect(headers['keep-alive']).not.toBe('x');
  });
});
