import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpHub, type HttpHub } from '../../../test/http-hub.ts';

describe('the listener', () => {
  let hub: HttpHub;
  beforeAll(async () => {
    hub = await httpHub();
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  async function raw(text: string): Promise<string> {
    const socket = connect((hub.http.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  }
  const upgrade = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

  test('refuses upgrades of unknown paths', async () => {
    const answer = await raw(upgrade('/api/v1/elsewhere'));
    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      kind: 'Invalid',
      message: 'There is nothing at this address to upgrade to.',
    });
  });

  test('answers 426 where the Upgrade header of a device or command line has got lost on the way', async () => {
    for (const request of ['GET /api/v1/connect/ws', 'GET /api/v1/connect/ws?a=1']) {
      const answer = await raw(`${request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n[^]*\r\nupgrade: websocket\r\n/i);
      expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
        kind: 'Invalid',
        message:
          'The request arrived without its Upgrade header: a proxy between this program and the hub drops it. Let it pass WebSockets on.',
      });
    }
  });

  test.each([
    ['the next HTTP', 'GET /healthz', 'HTTP2-Settings', 'h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__', ''],
    [
      'other protocols, with a body',
      'POST /api/v1/actions/invoke/actor_GetActor',
      'close',
      'h2c, TLS/1.0\r\nContent-Length: 2\r\nContent-Type: application/json',
      '{}',
    ],
  ])('ignores the offer of %s', async (_what, line, nominated, protocols, body) => {
    const answer = await raw(
      `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade, ${nominated}\r\nUpgrade: ${protocols}\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('passes upgrades to the handler of their path', async () => {
    hub.http.onUpgrade('/api/v1/mine', (_request, socket: Socket) => socket.end('HTTP/1.1 101 Mine\r\n\r\n'));
    expect(await raw(upgrade('/api/v1/mine?a=1'))).toBe('HTTP/1.1 101 Mine\r\n\r\n');
    expect(await raw(upgrade('/api/v1/mine/x'))).toMatch(/ 404 /);
  });

  test.each([
    ['nonsense', 'NONSENSE\r\n\r\n', '400', 'The request is not valid HTTP.'],
    [
      'two lengths at once',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      '400',
      'The request is not valid HTTP.',
    ],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
      '431',
      'The headers of the request are too large.',
    ],
  ])('answers %s with a sentence', async (_name, text, status, message) => {
    const answer = await raw(text);
    expect(answer.split(' ')[1]).toBe(status);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ kind: 'Invalid', message });
  });

  test('requires a Host of HTTP/1.1 alone, and minds no expectation that it does not know', async () => {
    const answer = await raw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*The request must name one host and a path\./s);
    expect(await raw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    const expecting = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: cake\r\nConnection: close\r\n\r\n';
    expect(await raw(expecting)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('accepts the next request on a connection after a refused one', async () => {
    const refused =
      'POST /api/v1/actions/invoke/actor_GetActor HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n';
    const last = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const answers = await raw(refused + last);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
  });
});

test('counts sign-ins by the address that a trusted proxy names', async () => {
  const env = { CORRAL_TRUSTED_PROXIES: '127.0.0.1', CORRAL_TRUSTED_PROXY_HEADER: 'on' };
  await using hub = await httpHub({ env });
  const email = 'ada@example.org';
  await hub.user(email, { password: 'correct horse battery' });
  const guess = (password: string, address: string) =>
    hub.post('/api/private/login', { email, password }, { 'x-forwarded-for': `9.9.9.9, ${address}` });
  let answer = await guess('wrong password', '192.0.2.1');
  for (let attempt = 0; attempt < 10 && answer.status === 401; attempt += 1)
    answer = await guess('wrong password', '192.0.2.1');
  expect(answer.status).toBe(429);
  expect((await guess('correct horse battery', '192.0.2.2')).status).toBe(200);
});

test('closing ends live views and waits for running requests', async () => {
  const hub = await httpHub();
  const email = 'ada@example.org';
  await hub.user(email, { password: 'correct horse battery' });
  const cookie = await hub.signIn(email, 'correct horse battery');
  const stream = connect((hub.http.server.address() as AddressInfo).port, '127.0.0.1');
  stream.write(`GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
  await once(stream, 'data');
  const ended = once(stream.resume(), 'close');
  const running = hub.post('/api/private/login', { email, password: 'correct horse battery' });
  await once(hub.http.server, 'request');
  const closed = hub[Symbol.asyncDispose]();
  expect((await running).status).toBe(200);
  await ended;
  await closed;
  expect(hub.http.server.listening).toBe(false);
});

test('a hub that leaves serves what still arrives, and each answer is the last one of its connection', async () => {
  const hub = await httpHub();
  const open = () =>
    connect((hub.http.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const kept = open();
  kept.write(request);
  const [before] = (await once(kept, 'data')) as [string];
  expect(before).not.toMatch(/^connection: close/im);
  const late = open();
  late.write(request.slice(0, -2));
  hub.http.endConnections();
  kept.write(request);
  const [after] = (await once(kept, 'data')) as [string];
  expect(after).toMatch(/^connection: close/im);
  await once(kept, 'close');
  const closed = hub[Symbol.asyncDispose]();
  await once(hub.http.server, 'close', { signal: AbortSignal.timeout(50) }).catch(() => undefined);
  late.write(request.slice(-2));
  const [last] = (await once(late, 'data')) as [string];
  expect(last).toMatch(/^HTTP\/1\.1 200 /);
  await closed;
});
