import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { proxiedDevice, type ProxiedDevice, type ProxiedPort } from '../../../test/proxied-device.ts';

const mib = 1_048_576;
const block = randomBytes(mib);
const bigBlocks = 64;

let device: ProxiedDevice;
let page: ProxiedPort;
/** Requests that the device holds open. */
const held: { request: IncomingMessage; response: ServerResponse }[] = [];
/** How many bytes of the large response the device has produced. */
let producedBytes = 0;

function* blocks(count: number): Generator<Buffer> {
  for (let index = 0; index < count; index += 1) {
    producedBytes += block.length;
    yield block;
  }
}

/** 32 MiB in blocks of 1,000 bytes, many of which arrive in one buffer. */
function* smallBlocks(): Generator<Buffer> {
  for (let count = 0; count < 32; count += 1)
    for (let from = 0; from < mib; from += 1_000) yield block.subarray(from, from + 1_000);
}

function digestOf(count: number): string {
  const hash = createHash('sha256');
  for (let index = 0; index < count; index += 1) hash.update(block);
  return hash.digest('hex');
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/big') {
    response.setHeader('content-length', bigBlocks * mib);
    Readable.from(blocks(bigBlocks)).pipe(response);
  } else if (request.url === '/chunked') {
    Readable.from(smallBlocks()).pipe(response);
  } else if (request.url === '/upload') {
    const hash = createHash('sha256');
    request
      .on('data', (chunk: Buffer) => hash.update(chunk))
      .on('end', () => response.end(hash.digest('hex')));
  } else if (request.url === '/early') {
    response.writeHead(413, { connection: 'close' }).end('too large');
  } else if (request.url === '/range') {
    const isRange = request.headers.range === 'bytes=2-4';
    response.writeHead(
      isRange ? 206 : 200,
      isRange ? { 'content-range': 'bytes 2-4/9' } : { 'content-length': 9 },
    );
    response.end(request.method === 'HEAD' ? undefined : isRange ? 'cde' : 'abcdefghi');
  } else held.push({ request, response });
}

beforeAll(async () => {
  device = await proxiedDevice();
  const port = await device.serve(serve);
  page = await device.enter(port);
});
afterAll(() => device[Symbol.asyncDispose]());

/** The next request that the device holds open. */
async function nextHeld(): Promise<{ request: IncomingMessage; response: ServerResponse }> {
  await vi.waitFor(() => expect(held.length).toBeGreaterThan(0));
  return held.shift() as (typeof held)[number];
}

describe('bodies', () => {
  test('a download of 64 MiB arrives unchanged', async () => {
    const answer = await page.open('/big');
    const hash = createHash('sha256');
    for await (const chunk of answer) hash.update(chunk as Buffer);
    expect(hash.digest('hex')).toBe(digestOf(bigBlocks));
  });

  test('a chunked download to a slow browser arrives unchanged', { timeout: 120_000 }, async () => {
    const answer = await page.open('/chunked');
    const hash = createHash('sha256');
    for await (const chunk of answer) {
      hash.update(chunk as Buffer);
      // The next chunk waits for a turn, so that the hub pauses within buffers.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(hash.digest('hex')).toBe(digestOf(32));
  });

  test('an upload of 64 MiB arrives unchanged', { timeout: 120_000 }, async () => {
    const body = Buffer.concat(Array.from({ length: 64 }, () => block));
    const { text } = await page.ask('/upload', { method: 'POST', body });
    expect(text).toBe(digestOf(64));
  });

  test('a browser that stops reading stops the device, in bounded memory', { timeout: 60_000 }, async () => {
    producedBytes = 0;
    const answer = await page.open('/big');
    answer.pause();
    let last = -1;
    // The buffers in between fill up; then the device produces no more.
    await vi.waitFor(
      () => {
        const isStill = producedBytes === last;
        last = producedBytes;
        if (!isStill) throw new Error('the device still produces data');
      },
      { interval: 1_000 },
    );
    expect(producedBytes).toBeLessThan(32 * mib);
    answer.on('error', () => undefined).destroy();
  });

  test('a response before the end of the upload arrives', async () => {
    const answer = await page
      .ask('/early', { method: 'POST', body: Buffer.alloc(8 * mib) })
      .catch(() => undefined);
    // The connection may be reset while the client still writes; but whatever it reads is the device's response.
    if (answer !== undefined) expect([answer.status, answer.text]).toEqual([413, 'too large']);
  });

  test('range and HEAD requests are forwarded', async () => {
    const range = await page.ask('/range', { headers: { range: 'bytes=2-4' } });
    expect([range.status, range.text, range.headers['content-range']]).toEqual([206, 'cde', 'bytes 2-4/9']);
    const head = await page.ask('/range', { method: 'HEAD' });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '9']);
  });

  test('server-sent events arrive one by one', async () => {
    const opened = page.open('/events');
    const { response } = await nextHeld();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    const answer = await opened;
    response.write('data: 1\n\n');
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(first.toString()).toBe('data: 1\n\n');
    response.write('data: 2\n\n');
    const [second] = (await once(answer, 'data')) as [Buffer];
    expect(second.toString()).toBe('data: 2\n\n');
    response.end();
    await once(answer, 'end');
  });

  test('a response that breaks on the device breaks in the browser', async () => {
    const opened = page.ask('/broken');
    const { response } = await nextHeld();
    response.writeHead(200, { 'content-length': 10 });
    response.write('12345', () => response.destroy());
    await expect(opened).rejects.toThrow('aborted');
  });

  test('a browser that disconnects during an upload aborts the request on the device', async () => {
    const socket = await page.socket();
    socket.write(
      `POST /half HTTP/1.1\r\nHost: ${page.host}\r\nCookie: ${page.cookie}\r\nContent-Length: 9\r\n\r\nhalf`,
    );
    const { request } = await nextHeld();
    const gone = new Promise((resolve) => request.on('error', () => undefined).once('close', resolve));
    await once(request, 'data');
    socket.destroy();
    await gone;
    expect(request.complete).toBe(false);
  });

  test('a browser that disconnects aborts the request on the device', async () => {
    const opened = page.open('/gone');
    const { request, response } = await nextHeld();
    response.writeHead(200).write('x');
    const gone = new Promise((resolve) => request.on('error', () => undefined).once('close', resolve));
    (await opened).on('error', () => undefined).destroy();
    await gone;
  });
});

describe('WebSockets', () => {
  let socketPage: ProxiedPort;
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'chat' });

  beforeAll(async () => {
    const server = createServer();
    server.on('upgrade', (request, socket, head) =>
      sockets.handleUpgrade(request, socket as Socket, head, (webSocket) =>
        webSocket.on('message', (data, isBinary) => webSocket.send(data as Buffer, { binary: isBinary })),
      ),
    );
    socketPage = await device.enter(await device.adopt(server));
  });
  afterAll(() => void sockets.close());

  function open(headers: Record<string, string> = {}, protocols: string[] = ['chat']): WebSocket {
    const { host, cookie } = socketPage;
    const address = `ws://127.0.0.1:${host.split(':')[1]}/chat`;
    return new WebSocket(address, protocols, {
      headers: { host, cookie, origin: `http://${host}`, ...headers },
    });
  }

  test('echo small and large messages', async () => {
    const webSocket = open();
    await once(webSocket, 'open');
    expect(webSocket.protocol).toBe('chat');
    webSocket.send('hello');
    expect(String(((await once(webSocket, 'message')) as [Buffer])[0])).toBe('hello');
    const large = Buffer.concat([block, block, block, block]);
    webSocket.send(large);
    expect(Buffer.compare(((await once(webSocket, 'message')) as [Buffer])[0], large)).toBe(0);
    webSocket.close(4001, 'done');
    const [code] = (await once(webSocket, 'close')) as [number];
    expect(code).toBe(4001);
  });

  test.each([
    ['another origin', { origin: 'http://evil.example' }],
    ['the origin of another device', { origin: 'http://other.proxy.localhost' }],
    ['no cookie', { cookie: 'none' }],
  ])('are refused for %s', async (_why, headers) => {
    const webSocket = open(headers);
    const [error] = (await once(webSocket, 'error')) as [Error];
    expect(error.message).toContain('403');
  });

  test('an open WebSocket has Node warn of no leak', async () => {
    const warnings: string[] = [];
    const note = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const webSocket = open();
    await once(webSocket, 'open');
    webSocket.terminate();
    await once(webSocket, 'close');
    expect(warnings).toEqual([]);
  });

  test('a normal response to the upgrade is forwarded and the connection closed', async () => {
    const plain = await device.enter(
      await device.serve((_request, response) => response.writeHead(418).end('tea')),
    );
    const webSocket = new WebSocket(`ws://127.0.0.1:${plain.host.split(':')[1]}/`, {
      headers: { host: plain.host, cookie: plain.cookie, origin: `http://${plain.host}` },
    });
    const [error] = (await once(webSocket, 'error')) as [Error];
    expect(error.message).toContain('418');
  });

  test('an upgrade to another protocol is refused', async () => {
    const socket = await socketPage.socket();
    socket.write(
      `GET / HTTP/1.1\r\nHost: ${socketPage.host}\r\nCookie: ${socketPage.cookie}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    );
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });
});
