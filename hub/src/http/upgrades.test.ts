import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { routeUpgrades } from './upgrades.ts';

const server = createServer();
const atHub: Socket[] = [];
server.on('connection', (socket) => atHub.push(socket));
const addPath = routeUpgrades(server, (own) => own);

beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  vi.useRealTimers();
  for (const socket of atHub.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Requests an upgrade and never ends its side of the connection. */
function requestUpgrade(path: string, more = ''): Socket {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${more}`,
  );
  return socket;
}

test('a refused client that keeps its side open is disconnected', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const socket = requestUpgrade('/nowhere', 'data that is read and discarded');
  let answer = '';
  socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
  await once(socket, 'end');
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  expect(atHub[0]?.destroyed).toBe(false);
  vi.advanceTimersByTime(5_000);
  await vi.waitFor(() => expect(atHub[0]?.destroyed).toBe(true));
  socket.destroy();
});

test('a refused client that ends its side is released immediately', async () => {
  const socket = requestUpgrade('/nowhere');
  socket.resume();
  await once(socket, 'end');
  socket.end();
  await vi.waitFor(() => expect(atHub[0]?.destroyed).toBe(true));
});

test('the handler of the path gets the unchanged socket', async () => {
  addPath('/mine', (_request, socket, head) => socket.end(`HTTP/1.1 101 Mine\r\n\r\n${head.toString()}`));
  const socket = requestUpgrade('/mine?a=1', 'head');
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  expect(bytes.toString()).toBe('HTTP/1.1 101 Mine\r\n\r\nhead');
  socket.destroy();
});
