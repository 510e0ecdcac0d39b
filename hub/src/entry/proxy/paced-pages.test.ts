import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { proxiedDevice, type ProxiedDevice, type ProxiedPort } from '../../../test/proxied-device.ts';
import { getOf, rawRequests } from '../../../test/raw-requests.ts';

const perSecond = 4;
/** What may come at once. */
const burst = 3 * perSecond;

let device: ProxiedDevice;
let port: number;
let page: ProxiedPort;
let source = 1;
beforeAll(async () => {
  const env = { CORRAL_ANONYMOUS_REQUESTS_PER_SECOND: String(perSecond) };
  // No turn comes back, however slow the machine is.
  device = await proxiedDevice({}, { env, nowMs: () => 0 });
  port = await device.serve((_request, response) => void response.end('page'));
  page = await device.enter(port);
});
const requests = rawRequests(() => device.transports.hub);
afterAll(async () => {
  requests[Symbol.dispose]();
  await device[Symbol.asyncDispose]();
});
// Each test has an address whose burst is whole.
beforeEach(() => void (source += 1));

const here = (): string => `127.0.1.${source}`;
const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
const at = (path: string, more = ''): string => getOf(path, more, page.host);
const withCookie = (cookie: string, more = ''): string => `Cookie: ${cookie}\r\n${more}`;
const falseCookie = (): string => `${page.cookie.slice(0, -4)}AAAA`;

/** Uses up what the address of the test may send at once. */
async function flood(): Promise<void> {
  const before = await requests.pacedSoFar();
  const text = at('/', withCookie(falseCookie()));
  await Promise.all(Array.from({ length: burst }, () => requests.answered(text, here())));
  expect(await requests.pacedSoFar()).toBe(before);
}

test('requests for pages of devices without an access wait like others, also as upgrades and at the paths of health checks', async () => {
  await flood();
  for (const text of [
    at('/', withCookie(falseCookie())),
    at('/healthz'),
    at('/', withCookie(falseCookie(), upgrade)),
    getOf('/api/config.json'),
  ])
    expect(await requests.pacedWith(text, here())).toBe(1);
});

test('a request with a known access does not wait, from the first one on', async () => {
  await flood();
  const known = withCookie(page.cookie);
  expect(await requests.answered(at('/', known), here())).toMatch(/^HTTP\/1\.1 200 /);
  expect(await requests.pacedWith(at('/', known), here())).toBe(0);
  const { cookie } = await device.enter(port);
  expect(await requests.pacedWith(at('/', withCookie(cookie)), here())).toBe(0);
});

test('redeeming an entry token waits, also with a known access', async () => {
  await flood();
  const url = await device.issue(device.member, { port });
  const entry = at(url.pathname + url.search, withCookie(page.cookie));
  expect(await requests.pacedWith(entry, here())).toBe(1);
});

test('a page is paced like one without an access once its session has ended', async () => {
  const url = await device.issue(device.member, { port });
  const { cookie } = await device.enterBy(url);
  const { hub } = device.transports;
  await hub.post('/api/private/logout', {}, { cookie: device.member.cookie });
  const ended = at('/', withCookie(cookie));
  expect(await requests.answered(ended, '127.0.2.1')).toMatch(/^HTTP\/1\.1 403 /);
  await flood();
  expect(await requests.pacedWith(ended, here())).toBe(1);
});
