import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proxiedDevice, type ProxiedDevice, type ProxiedPort } from '../../../test/proxied-device.ts';

let device: ProxiedDevice;
let page: ProxiedPort;
/** Writes the device's response to every request. */
let answer: (socket: Socket) => void;
/** All bytes that the device received. */
let received = '';

beforeAll(async () => {
  device = await proxiedDevice();
  const port = await device.serveRaw((socket) => {
    socket.on('error', () => socket.destroy());
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      const isFirst = !head.includes('\r\n\r\n');
      head += chunk.toString('latin1');
      received += chunk.toString('latin1');
      if (isFirst && head.includes('\r\n\r\n')) answer(socket);
    });
  });
  page = await device.enter(port);
});
afterAll(() => device[Symbol.asyncDispose]());

function answering(text: string): void {
  answer = (socket) => void socket.end(text, 'latin1');
}

const many = (count: number): string =>
  Array.from({ length: count }, (_, index) => `x-${index}: 1\r\n`).join('');

describe('a device that sends invalid HTTP', () => {
  test.each([
    ['garbage', '\x00\xff garbage\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nX-A: 1\r\n\tSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n'],
    ['lines that end with a bare LF', 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello'],
    ['more than 100 headers', `HTTP/1.1 200 OK\r\n${many(101)}\r\n`],
    ['more than 16 KiB of headers', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(17_000)}\r\n\r\n`],
    [
      '101 without an upgrade request',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    ],
    ['six informational responses', `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(6)}HTTP/1.1 200 OK\r\n\r\n`],
    ['half a head', 'HTTP/1.1 200 OK\r\nX-A: 1\r\n'],
  ])('%s: the browser gets an error page of the hub', async (_what, text) => {
    answering(text);
    const { status, headers } = await page.ask('/', { headers: { accept: 'text/html' } });
    expect(status).toBe(502);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('100 headers and five informational responses are accepted', async () => {
    answering(
      `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5)}HTTP/1.1 200 OK\r\n${many(99)}Content-Length: 2\r\n\r\nok`,
    );
    expect(await page.ask('/')).toMatchObject({ status: 200, text: 'ok' });
  });

  test('an unrequested 100 is discarded', async () => {
    answering('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    expect(await page.ask('/')).toMatchObject({ status: 200, text: 'ok' });
  });

  test('bytes that are not HTTP fail immediately, though the device keeps the connection open', async () => {
    answer = (socket) => void socket.write('220 mail.example ESMTP\r\n');
    expect((await page.ask('/')).headers['x-corral-failure']).toBe('garbled');
    answer = (socket) => void socket.write('HTTP/1.1 200 OK\n');
    expect((await page.ask('/')).headers['x-corral-failure']).toBe('garbled');
  });

  test.each([
    ['a chunk longer than its size', '2\r\nhello\r\n0\r\n\r\n'],
    ['more than 16 KiB of chunk extensions', `5;${'a'.repeat(17_000)}\r\nhello\r\n0\r\n\r\n`],
    ['an end before the last chunk', '5\r\nhello\r\n'],
  ])('%s: a chunked body never looks complete', async (_what, chunks) => {
    answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n');
      void socket.end(chunks, 'latin1');
    };
    // The invalid bytes may arrive together with the head, before anything was forwarded.
    const outcome = await page.ask('/').then(
      ({ status }) => status,
      () => 'broken off',
    );
    expect([502, 'broken off']).toContain(outcome);
  });

  test('a body shorter than its Content-Length is broken in the browser', async () => {
    answering('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello');
    await expect(page.ask('/')).rejects.toThrow();
  });

  test('trailers and chunk extensions are not forwarded', async () => {
    answering(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n',
    );
    const { text, rawHeaders } = await page.ask('/');
    expect(text).toBe('hello');
    expect(rawHeaders.join()).not.toContain('X-Trailer');
  });

  test('a response that arrives before its request is used for that request only', async () => {
    const texts = ['early', 'first'];
    const port = await device.serveRaw((socket) => {
      socket.on('error', () => socket.destroy()).on('end', () => socket.end());
      const respond = (text = ''): void =>
        void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
      if (texts.length === 2) respond(texts.shift());
      socket.on('data', () => respond(texts.shift() ?? 'mine'));
    });
    const early = await device.enter(port);
    const { text } = await early.ask('/');
    expect(['early', 'first']).toContain(text);
    // The extra response closed the connection.
    await expect.poll(async () => (await early.ask('/')).text).toBe('mine');
  });

  test('bytes after the end of a response are discarded', async () => {
    answering(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison',
    );
    expect((await page.ask('/')).text).toBe('ok');
    answering('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmine');
    expect((await page.ask('/')).text).toBe('mine');
  });

  test('a response without a length ends when the device closes the connection', async () => {
    answering('HTTP/1.0 200 OK\r\n\r\nuntil the end');
    expect((await page.ask('/')).text).toBe('until the end');
  });
});

describe('a client that sends an ambiguous request', () => {
  /** Sends raw lines and returns the raw response. */
  async function raw(lines: string[], body = ''): Promise<string> {
    received = '';
    answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    const socket = await page.socket();
    const own = [`Host: ${page.host}`, `Cookie: ${page.cookie}`, 'Connection: close'];
    const [first, ...rest] = lines;
    socket.write(`${[first, ...own, ...rest].join('\r\n')}\r\n\r\n${body}`, 'latin1');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  }

  test.each([
    ['two lengths', ['POST / HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['a space before the colon', ['POST / HTTP/1.1', 'Transfer-Encoding : chunked'], '0\r\n\r\n'],
    ['two lengths that differ', ['POST / HTTP/1.1', 'Content-Length: 5', 'Content-Length: 6'], 'hello!'],
    [
      'chunked within another transfer coding',
      ['POST / HTTP/1.1', 'Transfer-Encoding: chunked, identity'],
      '0\r\n\r\n',
    ],
    ['two hosts', ['GET / HTTP/1.1', 'Host: other.proxy.localhost'], ''],
    ['an absolute URL of another host', ['GET http://localhost/ HTTP/1.1'], ''],
    ['a space in the path', ['GET /a b HTTP/1.1'], ''],
  ])('%s: 400, and nothing reaches the device', async (_what, lines, body) => {
    expect(await raw(lines, body)).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toBe('');
  });

  test('a body is forwarded with one framing, on a connection that is closed afterwards', async () => {
    expect(
      await raw(
        ['POST /p HTTP/1.1', 'Transfer-Encoding: chunked'],
        '5\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toMatch(/^POST \/p HTTP\/1\.1\r\n/);
    expect(received).toMatch(/^connection: close\r\n/im);
    expect(received).not.toContain('X-Trailer');
  });

  test('a transfer coding other than chunked is refused', async () => {
    const lines = ['POST /p HTTP/1.1', 'Transfer-Encoding: gzip, chunked'];
    expect(await raw(lines, '5\r\nhello\r\n0\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toBe('');
  });
});

describe('a device that completes a WebSocket handshake wrongly', () => {
  async function openWith(text: string): Promise<string> {
    received = '';
    answering(text);
    const socket = await page.socket();
    const lines = [
      'GET / HTTP/1.1',
      `Host: ${page.host}`,
      `Cookie: ${page.cookie}`,
      `Origin: http://${page.host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\nearly bytes`);
    let answered = '';
    socket.on('data', (chunk: Buffer) => (answered += chunk.toString()));
    await once(socket, 'close');
    return answered;
  }
  const opening = (more: string): string =>
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}\r\nsecret bytes`;

  test.each([
    ['no accept', ''],
    ['a wrong accept', 'Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n'],
    [
      'a protocol that was not offered',
      'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: x\r\n',
    ],
  ])('%s: no byte is forwarded in either direction', async (_what, more) => {
    const answered = await openWith(opening(more));
    expect(answered).toMatch(/^HTTP\/1\.1 502 /);
    expect(answered).not.toContain('secret bytes');
    expect(received).not.toContain('early bytes');
  });

  test('a valid handshake connects both sides, without the cookies of the hub', async () => {
    const answered = await openWith(
      opening(
        'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSet-Cookie: __Host-proxy=x\r\nSet-Cookie: a=b\r\n',
      ),
    );
    expect(answered).toMatch(/^HTTP\/1\.1 101 /);
    expect(answered).toContain('secret bytes');
    expect(answered).toContain('a=b');
    expect(answered).not.toContain('__Host-proxy');
    // They reach the device through its agent, which may take longer than the close of the browser's connection.
    await expect.poll(() => received).toContain('early bytes');
  });
});

describe('an unreachable device', () => {
  test('nothing listens on the port: 502 names the port', async () => {
    const closed = await device.enter(9);
    const { status, text, headers } = await closed.ask('/', { headers: { accept: 'text/html' } });
    expect([status, headers['x-corral-failure']]).toEqual([502, 'refused']);
    expect(text).toContain('port 9 of the device');
  });

  test('the device closes the connection without a byte: 502', async () => {
    answer = (socket) => void socket.end();
    expect((await page.ask('/')).headers['x-corral-failure']).toBe('refused');
  });

  test('offline: 503 with Retry-After', async () => {
    device.agent.kill('SIGKILL');
    await once(device.agent, 'close');
    await expect.poll(async () => (await page.ask('/')).headers['x-corral-failure']).toBe('offline');
    const { status, headers } = await page.ask('/');
    expect([status, headers['retry-after']]).toEqual([503, '10']);
  });
});
