import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TransportListener } from '@corral/multiplex';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { upgradeToWebSocket } from './web-socket-upgrade.ts';

const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const ignoringListener: TransportListener = {
  acceptsParts: () => false,
  onMessage: () => {},
  onPart: () => {},
  onIgnored: () => {},
  onDrain: () => {},
  onViolation: () => {},
  onEnd: () => {},
};

let server: Server;
let hubUrl: string;
/** The request that the server received. */
let requestHead: string;
/** The server's answer to a request; empty by default. */
let answer: (accept: string) => string | Buffer;
const sockets: Socket[] = [];

beforeEach(async () => {
  requestHead = '';
  answer = () => '';
  server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.once('data', (bytes) => {
      requestHead = bytes.toString();
      const [, key = ''] = /^Sec-WebSocket-Key: (.*)\r$/im.exec(requestHead) ?? [];
      socket.write(answer(createHash('sha1').update(`${key}${acceptSuffix}`).digest('base64')));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  hubUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

const upgrade = (headers: Record<string, string> = {}, signal?: AbortSignal) =>
  upgradeToWebSocket({ url: `${hubUrl}/link`, hubUrl, headers, request, signal });

/** The head of an accepting answer, with some fields replaced. */
function accepting(accept: string, changes: Record<string, string> = {}): string {
  const fields = {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Accept': accept,
    ...changes,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `${['HTTP/1.1 101 Switching Protocols', ...lines].join('\r\n')}\r\n\r\n`;
}

test('the request is an upgrade with the headers of the caller and a fresh key', async () => {
  answer = accepting;
  (await upgrade({ Authorization: 'Bearer secret' })).destroy();
  expect(requestHead).toMatch(/^GET \/link HTTP\/1\.1\r\n/);
  for (const line of [
    'Authorization: Bearer secret',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
  ])
    expect(requestHead).toContain(`\r\n${line}\r\n`);
  expect(requestHead).not.toMatch(/Sec-WebSocket-(?:Extensions|Protocol)/i);
  const [, key = ''] = /Sec-WebSocket-Key: (.*)\r\n/.exec(requestHead) ?? [];
  expect(Buffer.from(key, 'base64')).toHaveLength(16);
  (await upgrade()).destroy();
  expect(requestHead).not.toContain(key);
});

test('[TR5] messages and an end that come with the answer are delivered in order', async () => {
  const messages = Buffer.from([1, 2, 3].flatMap((tag) => [0x82, 1, tag]));
  answer = (accept) => Buffer.concat([Buffer.from(accepting(accept)), messages]);
  server.on('connection', (socket: Socket) => socket.once('data', () => socket.end()));
  const transport = await upgrade();
  const received: unknown[] = [];
  const end = Promise.withResolvers<void>();
  transport.attach({
    ...ignoringListener,
    onMessage: (bytes) => received.push(bytes[0]),
    onEnd: () => (received.push('end'), end.resolve()),
  });
  expect(received).toEqual([]);
  await end.promise;
  expect(received).toEqual([1, 2, 3, 'end']);
});

test('field names and tokens of the answer are compared without case', async () => {
  answer = (accept) =>
    accepting(accept, { Upgrade: 'WebSocket', Connection: 'keep-alive, upgrade' }).replace(
      'Sec-WebSocket-Accept',
      'sec-websocket-accept',
    );
  (await upgrade()).destroy();
});

test.each([
  ['Upgrade', { Upgrade: 'h2c' }],
  ['Sec-WebSocket-Accept', { 'Sec-WebSocket-Accept': 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=' }],
  ['Sec-WebSocket-Protocol', { 'Sec-WebSocket-Protocol': 'chat' }],
])('a handshake with a wrong %s is refused', async (field, changes) => {
  answer = (accept) => accepting(accept, changes);
  await expect(upgrade()).rejects.toThrow(
    `The hub at ${hubUrl} cannot be reached: its WebSocket handshake is wrong (${field}).`,
  );
});

test('an answer 101 without an upgrade of the connection is refused', async () => {
  answer = (accept) => accepting(accept, { Connection: 'upgrade-later' });
  await expect(upgrade()).rejects.toThrow(`What answers at ${hubUrl} is no Corral hub (status 101).`);
});

test('[TR4] an extension in the answer of the hub is refused', async () => {
  answer = (accept) => accepting(accept, { 'Sec-WebSocket-Extensions': 'permessage-deflate' });
  await expect(upgrade()).rejects.toThrow(/\(Sec-WebSocket-Extensions\)/);
});

test('an answer that is no upgrade is the error that it describes', async () => {
  const body = JSON.stringify({ kind: 'RateLimited', message: 'Too many connections.' });
  answer = () =>
    `HTTP/1.1 429 No\r\nRetry-After: 7\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  await expect(upgrade()).rejects.toMatchObject({
    name: 'ConnectError',
    message: 'Too many connections.',
    status: 429,
    retryAfterMs: 7_000,
  });
});

test('an endless head fails the attempt', async () => {
  answer = () => `HTTP/1.1 101 Switching Protocols\r\nX-Filler: ${'x'.repeat(20_000)}`;
  await expect(upgrade()).rejects.toThrow(/cannot be reached/);
  await vanished();
});

test('an abort fails the attempt and closes its connection', async () => {
  const stop = new AbortController();
  const connecting = upgrade({}, stop.signal);
  connecting.catch(() => undefined);
  await once(server, 'connection');
  stop.abort();
  await expect(connecting).rejects.toThrow('The connection was given up.');
  await vanished();
  await expect(upgrade({}, AbortSignal.abort())).rejects.toThrow('The connection was given up.');
});

/** The client has closed its connection. */
async function vanished(): Promise<void> {
  for (const socket of sockets) if (!socket.destroyed) await once(socket.resume(), 'close');
}
