import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proxiedDevice, type ProxiedDevice, type ProxiedPort } from '../../test/proxied-device.ts';

let device: ProxiedDevice;
let port: number;
let echo: ProxiedPort;
/** Set by a test that wants its own answer of the device. */
const answers = new Map<string, (request: IncomingMessage) => string[]>();

beforeAll(async () => {
  device = await proxiedDevice();
  port = await device.serve((request, response) => {
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
    expect(valueOf(request, 'connection')).toBe('close');
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

describe('the way in', () => {
  test('is a link that works once, and leaves a cookie for this host and a clean address', async () => {
    const url = await device.issue(device.member, { port });
    expect(url.hostname).toMatch(/^[a-z2-7]{26}\.proxy\.localhost$/);
    url.pathname = '/start';
    url.searchParams.append('keep', 'me');
    const path = url.pathname + url.search;
    const first = await device.ask(url.host, path);
    expect([first.status, first.headers.location]).toEqual([303, '/start?keep=me']);
    expect(first.headers['set-cookie']?.[0]).toMatch(
      /^__Host-proxy=[\w.-]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const again = await device.ask(url.host, path, { headers: { accept: 'text/html' } });
    expect([again.status, again.headers['set-cookie']]).toEqual([403, undefined]);
    expect(again.text).toContain('used already');
    const cookie = first.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const mine = await device.ask(url.host, path, { headers: { cookie } });
    expect([mine.status, mine.headers.location]).toEqual([303, '/start?keep=me']);
  });

  test('with a time of its own works again until then', async () => {
    const url = await device.issue(device.member, { port, validForSecs: 600 });
    expect((await device.enterBy(url)).cookie).toContain('__Host-proxy=');
    expect((await device.enterBy(url)).cookie).toContain('__Host-proxy=');
  });

  test('keeps the host name of a port, has one for each port, and none of two devices', async () => {
    const [one, again, other] = [
      await device.issue(device.member, { port: 81 }),
      await device.issue(device.owner, { port: 81 }),
      await device.issue(device.member, { port: 82 }),
    ];
    expect(one.hostname).toBe(again.hostname);
    expect(one.hostname).not.toBe(other.hostname);
  });

  test('opens one host alone: neither token nor cookie is good on another', async () => {
    const url = await device.issue(device.member, { port: 81 });
    expect((await device.ask(echo.host, url.pathname + url.search)).status).toBe(403);
    expect((await device.ask(url.host, '/', { headers: { cookie: echo.cookie } })).status).toBe(403);
  });

  test('is not used up by looking at it', async () => {
    const url = await device.issue(device.member, { port });
    expect((await device.ask(url.host, url.pathname + url.search, { method: 'HEAD' })).status).toBe(405);
    expect((await device.enterBy(url)).host).toBe(url.host);
  });

  test('token and cookie do not stand in for each other', async () => {
    const url = await device.issue(device.member, { port, validForSecs: 600 });
    const entry = url.searchParams.get('token') ?? '';
    const asCookie = await device.ask(url.host, '/', { headers: { cookie: `__Host-proxy=${entry}` } });
    expect(asCookie.status).toBe(403);
    const { cookie } = await device.enterBy(url);
    // Meant for nobody's eyes but ours, and no token of the way in: it would go to the device like any parameter.
    const asToken = await device.ask(url.host, `/?token=${cookie.split('=')[1]}`);
    expect(asToken.status).toBe(403);
  });

  test('leads back to the console when it is too late, where the console asked for that, and nowhere else', async () => {
    const back = (redirect: string) =>
      device.issue(device.member, { port, redirect }).then(async (url) => {
        await device.ask(url.host, url.pathname + url.search);
        return device.ask(url.host, url.pathname + url.search, { headers: { accept: 'text/html' } });
      });
    const console = device.doors.hub.origins().console;
    const good = await back('/projects?x=1');
    expect([good.status, good.headers.location]).toEqual([303, `${console}/projects?x=1`]);
    const full = await back(`${console}/projects`);
    expect(full.headers.location).toBe(`${console}/projects`);
    for (const elsewhere of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/..//evil.example',
      `${console}.evil.example/`,
      `${console}@evil.example/`,
      'javascript:alert(1)',
    ]) {
      const answer = await back(elsewhere);
      expect([answer.status, answer.headers.location], elsewhere).toEqual([403, undefined]);
    }
  });
});

describe('host names', () => {
  const status = async (host: string, path = '/readyz2'): Promise<number> =>
    (await device.ask(host, path, { headers: { accept: 'application/json' } })).status;

  test('the console answers to its own names and to plain addresses, devices to one label below their domain, nothing else to anything', async () => {
    for (const own of ['127.0.0.1', 'localhost:8080', 'LOCALHOST', '[::1]:80', '192.0.2.7'])
      expect(await status(own), own).not.toBe(421);
    expect(await status('abc.proxy.localhost')).toBe(403);
    for (const other of [
      'evil.example',
      'a.b.proxy.localhost',
      'proxy.localhost',
      '.proxy.localhost',
      'abc.proxy.localhost.',
      'abcxproxy.localhost',
      'localhost.evil.example',
    ])
      expect(await status(other), other).toBe(421);
  });

  test('programs may ask under whatever name they know, where no cookie counts', async () => {
    expect(await status('hub.internal', '/healthz')).toBe(200);
    expect(await status('hub.internal', '/readyz')).toBe(200);
    expect(await status('hub.internal', '/api/v1/connect/ws')).not.toBe(421);
    expect(await status('hub.internal', '/api/private/login')).toBe(421);
  });

  test("a device's host serves nothing of the hub", async () => {
    for (const path of ['/healthz', '/api/v1/actions/invoke/actor_GetActor', '/api/private/login'])
      expect((await device.ask(echo.host, path)).status).toBe(403);
    expect(JSON.parse((await echo.ask('/healthz')).text)).toMatchObject({ url: '/healthz' });
  });
});
