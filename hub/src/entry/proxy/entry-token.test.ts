import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proxiedDevice, type ProxiedDevice, type ProxiedPort } from '../../../test/proxied-device.ts';

let device: ProxiedDevice;
let port: number;
let echo: ProxiedPort;

beforeAll(async () => {
  device = await proxiedDevice();
  port = await device.serve(({ url }, response) => void response.end(JSON.stringify({ url })));
  echo = await device.enter(port);
});
afterAll(() => device[Symbol.asyncDispose]());

describe('an entry token', () => {
  test('is redeemed once, for a cookie of this host and a redirect to the URL without it', async () => {
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
    expect(again.text).toContain('already been used');
    const cookie = first.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const mine = await device.ask(url.host, path, { headers: { cookie } });
    expect([mine.status, mine.headers.location]).toEqual([303, '/start?keep=me']);
  });

  test('with a requested lifetime can be redeemed repeatedly until it expires', async () => {
    const url = await device.issue(device.member, { port, validForSecs: 600 });
    expect((await device.enterBy(url)).cookie).toContain('__Host-proxy=');
    expect((await device.enterBy(url)).cookie).toContain('__Host-proxy=');
  });

  test('always has the same host name for a port, and another for another port', async () => {
    const [one, again, other] = [
      await device.issue(device.member, { port: 81 }),
      await device.issue(device.owner, { port: 81 }),
      await device.issue(device.member, { port: 82 }),
    ];
    expect(one.hostname).toBe(again.hostname);
    expect(one.hostname).not.toBe(other.hostname);
  });

  test('and its cookie are valid for one host only', async () => {
    const url = await device.issue(device.member, { port: 81 });
    expect((await device.ask(echo.host, url.pathname + url.search)).status).toBe(403);
    expect((await device.ask(url.host, '/', { headers: { cookie: echo.cookie } })).status).toBe(403);
  });

  test('is not redeemed by a HEAD request', async () => {
    const url = await device.issue(device.member, { port });
    expect((await device.ask(url.host, url.pathname + url.search, { method: 'HEAD' })).status).toBe(405);
    expect((await device.enterBy(url)).host).toBe(url.host);
  });

  test('and an access token cannot replace each other', async () => {
    const url = await device.issue(device.member, { port, validForSecs: 600 });
    const entry = url.searchParams.get('token') ?? '';
    const asCookie = await device.ask(url.host, '/', { headers: { cookie: `__Host-proxy=${entry}` } });
    expect(asCookie.status).toBe(403);
    const { cookie } = await device.enterBy(url);
    // An access token is no entry token; as a parameter it would be forwarded to the device.
    const asToken = await device.ask(url.host, `/?token=${cookie.split('=')[1]}`);
    expect(asToken.status).toBe(403);
  });

  test('that is no longer valid redirects to the requested page of the console, and to no other origin', async () => {
    const back = (redirect: string) =>
      device.issue(device.member, { port, redirect }).then(async (url) => {
        await device.ask(url.host, url.pathname + url.search);
        return device.ask(url.host, url.pathname + url.search, { headers: { accept: 'text/html' } });
      });
    const console = device.transports.hub.origins().console;
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

  test('the console is served on its own names and on IP addresses, devices on one label below their domain; other names get 421', async () => {
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

  test('paths that need no cookie are served on any name', async () => {
    expect(await status('hub.internal', '/healthz')).toBe(200);
    expect(await status('hub.internal', '/readyz')).toBe(200);
    expect(await status('hub.internal', '/api/v1/connect/ws')).not.toBe(421);
    expect(await status('hub.internal', '/api/private/login')).toBe(421);
  });

  test("a device's host serves no path of the hub", async () => {
    for (const path of ['/healthz', '/api/v1/actions/invoke/actor_GetActor', '/api/private/login'])
      expect((await device.ask(echo.host, path)).status).toBe(403);
    expect(JSON.parse((await echo.ask('/healthz')).text)).toMatchObject({ url: '/healthz' });
  });
});
