import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proxiedDevice, type ProxiedDevice } from '../../../test/proxied-device.ts';

let device: ProxiedDevice;
beforeAll(async () => void (device = await proxiedDevice()));
afterAll(() => device[Symbol.asyncDispose]());

/** A page whose server records its connections. */
async function countingPage() {
  const seen = new Set<Socket>();
  const port = await device.serve((request, response) => {
    seen.add(request.socket);
    request.resume().on('end', () => response.end('here'));
  });
  return { port, seen, page: await device.enter(port) };
}

/** A page whose server responds to the nth request of a connection as given, and its connections. */
async function rawPage(answer: (socket: Socket, nth: number) => void) {
  const sockets: Socket[] = [];
  const port = await device.serveRaw((socket) => {
    sockets.push(socket);
    let count = 0;
    socket.on('error', () => socket.destroy()).on('end', () => socket.end());
    socket.on('data', () => answer(socket, (count += 1)));
  });
  return { sockets, page: await device.enter(port) };
}

const closeOf = (socket: Socket | undefined): Promise<unknown> =>
  new Promise((resolve) => socket?.once('close', resolve));

const ok = (text: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

test('GET requests share one connection to the device', async () => {
  const { seen, page } = await countingPage();
  for (let count = 0; count < 5; count += 1) expect((await page.ask(`/${count}`)).text).toBe('here');
  expect(seen.size).toBe(1);
});

test('a request with a body or another method has its own connection', async () => {
  const { seen, page } = await countingPage();
  await page.ask('/');
  await page.ask('/', { method: 'POST', body: 'x' });
  await page.ask('/', { method: 'DELETE' });
  expect(seen.size).toBe(3);
});

test('two accesses share no connection', async () => {
  const { seen, page, port } = await countingPage();
  await page.ask('/');
  await (await device.enter(port)).ask('/');
  expect(seen.size).toBe(2);
});

test('sixteen concurrent callers get 800 pages without a failure', async () => {
  const { page } = await countingPage();
  const statuses: number[] = [];
  const caller = async (): Promise<void> => {
    for (let count = 0; count < 50; count += 1) statuses.push((await page.ask('/')).status);
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  expect([statuses.length, ...new Set(statuses)]).toEqual([800, 200]);
});

test('a request is retried when the device closes the idle connection just then', async () => {
  const { page, sockets } = await rawPage((socket, nth) => {
    if (nth === 1) socket.write(ok('mine'));
    else socket.end();
  });
  expect((await page.ask('/')).text).toBe('mine');
  expect((await page.ask('/')).text).toBe('mine');
  expect(sockets.length).toBe(2);
});

test('unsolicited data closes the idle connection and is discarded', async () => {
  const { page, sockets } = await rawPage((socket) => void socket.write(ok('mine')));
  expect((await page.ask('/')).text).toBe('mine');
  const [first] = sockets;
  const closed = closeOf(first);
  first?.write(ok('poison'));
  await closed;
  expect((await page.ask('/')).text).toBe('mine');
});

test('an idle connection is closed', async () => {
  const { page, sockets } = await rawPage((socket) => void socket.write(ok('mine')));
  await page.ask('/');
  await closeOf(sockets[0]);
});
