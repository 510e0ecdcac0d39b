import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deviceCertificate } from '../../../test/device-certificate.ts';
import { createServer, limitPipelining } from './node-server.ts';

const { certificatePem, keyPem } = await deviceCertificate();
/** Several times what fits into one read. */
const manyRequests = 5_000;
const limit = 16;

const get = 'GET / HTTP/1.1\r\nHost: hub\r\n\r\n';
const kinds = {
  plain: get,
  'without a host': 'GET / HTTP/1.1\r\n\r\n',
  'with an expectation': 'GET / HTTP/1.1\r\nHost: hub\r\nExpect: cake\r\n\r\n',
  'with many headers': `GET / HTTP/1.1\r\nHost: hub\r\n${'a:\r\n'.repeat(40)}\r\n`,
  'with a body': 'POST / HTTP/1.1\r\nHost: hub\r\nContent-Length: 2\r\n\r\nhi',
};

let server: Server;
let heardErrors: string[] = [];
let upgrades = 0;
let parsed: IncomingMessage[] = [];
const note = (message: unknown): void => void parsed.push((message as { request: IncomingMessage }).request);

beforeEach(() => {
  [parsed, heardErrors, upgrades] = [[], [], 0];
  subscribe('http.server.request.start', note);
});
afterEach(() => {
  unsubscribe('http.server.request.start', note);
  server.close();
});

async function start(isTls: boolean, isLast = false): Promise<void> {
  const tls = isTls ? { cert: certificatePem, key: keyPem } : undefined;
  const answer: RequestListener = (_request, response) => {
    if (isLast) response.shouldKeepAlive = false;
    response.end('answer');
  };
  server = createServer(tls, limitPipelining(answer));
  server.on('clientError', ({ message }, socket) => {
    heardErrors.push(message);
    socket.destroy();
  });
  server.on('upgrade', () => (upgrades += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** Sends text at once; what came back until the connection ended, or until `enough` of it has come. */
async function send(text: string, isTls = false, enough = Infinity): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const options = { port, host: '127.0.0.1', rejectUnauthorized: false };
  const socket = isTls ? connectTls(options) : connectPlain(options);
  await once(socket, isTls ? 'secureConnect' : 'connect');
  socket.on('error', () => {}).write(text);
  let heard = '';
  socket.on('data', (bytes: Buffer) => {
    heard += bytes.toString();
    if (heard.split('answer').length > enough) socket.destroy();
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return heard;
}

describe.each([
  ['plain', false],
  ['TLS', true],
] as const)('over %s', (_name, isTls) => {
  test.each(Object.entries(kinds))('parses none of the requests %s beyond the limit', async (_kind, text) => {
    await start(isTls);
    await send(text.repeat(manyRequests), isTls);
    expect(parsed.length).toBe(limit + 1);
    expect(heardErrors).toEqual([]);
  });

  test('answers as many as may be sent ahead, again and again', async () => {
    await start(isTls);
    const heard = await send(get.repeat(limit), isTls, limit);
    expect(heard.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(limit);
    await send(get.repeat(limit), isTls, limit);
    expect(parsed.length).toBe(2 * limit);
  });
});

test.each(Object.entries(kinds))(
  'parses none of the requests %s after the last answer of a connection',
  async (_kind, text) => {
    await start(false, true);
    expect((await send(text.repeat(manyRequests))).match(/answer/g)).toHaveLength(1);
    expect(parsed.length).toBe(1);
  },
);

test('an upgrade behind the limit is no upgrade', async () => {
  await start(false);
  await send(
    `${get.repeat(limit + 1)}GET / HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  expect([parsed.length, upgrades]).toEqual([limit + 1, 0]);
});
