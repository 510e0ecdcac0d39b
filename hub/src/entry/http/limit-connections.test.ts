import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { httpHub, type HttpHub } from '../../../test/http-hub.ts';

let hub: HttpHub;
beforeAll(async () => {
  hub = await httpHub({
    env: { CORRAL_TRUSTED_PROXIES: '127.0.0.200' },
    connectionLimits: { total: 30, perAddress: 12 },
  });
  hub.http.onUpgrade('/api/v1/held', (_request, socket) => {
    socket.on('error', () => {}).on('end', () => socket.destroy());
    socket.resume().write('HTTP/1.1 101 Held\r\n\r\n');
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

const opened: Socket[] = [];
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await vi.waitFor(async () => expect(await count('connections')).toBeLessThanOrEqual(2));
});

/** A connection from an address of loopback that has sent `text`; `heard` is what came back. */
async function open(localAddress: string, text = ''): Promise<{ socket: Socket; heard: () => string }> {
  const { port } = hub.http.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  opened.push(socket);
  let heard = '';
  socket.on('data', (bytes: Buffer) => (heard += bytes.toString())).on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return { socket, heard: () => heard };
}

/** Resolves when a connection has ended, also by a reset. */
const closed = (socket: Socket): Promise<unknown> =>
  socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const held =
  'GET /api/v1/held HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

async function count(gauge: string): Promise<number> {
  const { text } = await hub.call('/metrics');
  return Number(new RegExp(`^corral_${gauge} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** Opens connections from an address; resolves when the hub has noticed them all. */
async function openMany(number: number, localAddress: string, text = ''): Promise<{ socket: Socket }[]> {
  const before = (await count('connections')) + (await count('refused_connections'));
  const many = await Promise.all(Array.from({ length: number }, () => open(localAddress, text)));
  await vi.waitFor(async () =>
    expect((await count('connections')) + (await count('refused_connections'))).toBeGreaterThanOrEqual(
      Math.min(before + number, 28),
    ),
  );
  return many;
}

describe('connections', () => {
  test('of one address are refused beyond its share, while others are served', async () => {
    await openMany(12, '127.0.0.2');
    const { socket, heard } = await open('127.0.0.2');
    await closed(socket);
    expect(heard()).toMatch(/^HTTP\/1\.1 503 .*There are too many connections from this address\./s);
    expect((await hub.call('/healthz')).status).toBe(200);
  });

  test('of a trusted proxy have no share', async () => {
    const many = await openMany(20, '127.0.0.200');
    expect(many.filter(({ socket }) => socket.destroyed)).toEqual([]);
  });

  test('that send nothing make room for health checks and people, however many there are', async () => {
    for (const last of [3, 4, 5, 6, 7]) await openMany(10, `127.0.0.${last}`);
    const { heard } = await open('127.0.0.9', get('/healthz'));
    await vi.waitFor(() => expect(heard()).toMatch(/^HTTP\/1\.1 200 .*ok\n$/s));
    expect(await count('connections')).toBeLessThanOrEqual(30);
  });

  test('that are in use are not closed for new ones', async () => {
    const inUse = await openMany(10, '127.0.0.2', held);
    for (const last of [3, 4, 5, 6]) await openMany(10, `127.0.0.${last}`);
    expect(inUse.filter(({ socket }) => socket.destroyed)).toEqual([]);
  });

  test('that close free their place', async () => {
    for (const { socket } of await openMany(12, '127.0.0.2')) socket.destroy();
    await vi.waitFor(async () => {
      const { heard } = await open('127.0.0.2', get('/healthz'));
      await vi.waitFor(() => expect(heard()).toMatch(/^HTTP\/1\.1 200 /), { timeout: 500 });
    });
  });
});
