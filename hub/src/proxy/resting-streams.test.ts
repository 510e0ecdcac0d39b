import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proxiedDevice, type ProxiedDevice } from '../../test/proxied-device.ts';

let device: ProxiedDevice;
beforeAll(async () => void (device = await proxiedDevice()));
afterAll(() => device[Symbol.asyncDispose]());

/** A page whose device counts the connections that it gets. */
async function counted() {
  const seen = new Set<Socket>();
  const port = await device.serve((request, response) => {
    seen.add(request.socket);
    request.resume().on('end', () => response.end('here'));
  });
  return { port, seen, page: await device.enter(port) };
}

/** A device that answers each head in its own way; what it got on which connection, and the connections. */
async function raw(answer: (socket: Socket, nth: number) => void) {
  const sockets: Socket[] = [];
  const port = await device.serveRaw((socket) => {
    sockets.push(socket);
    let count = 0;
    socket.on('error', () => socket.destroy()).on('end', () => socket.end());
    socket.on('data', () => answer(socket, (count += 1)));
  });
  return { sockets, page: await device.enter(port) };
}

/** The end of a connection, however it comes. */
const closeOf = (socket: Socket | undefined): Promise<unknown> =>
  new Promise((resolve) => socket?.once('close', resolve));

const ok = (text: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

test('requests that only read follow each other on one connection to the device', async () => {
  const { seen, page } = await counted();
  for (let count = 0; count < 5; count += 1) expect((await page.ask(`/${count}`)).text).toBe('here');
  expect(seen.size).toBe(1);
});

test('a request with a body has a connection of its own', async () => {
  const { seen, page } = await counted();
  await page.ask('/');
  await page.ask('/', { method: 'POST', body: 'x' });
  await page.ask('/', { method: 'DELETE' });
  expect(seen.size).toBe(3);
});

test('what one access has opened serves no other', async () => {
  const { seen, page, port } = await counted();
  await page.ask('/');
  await (await device.enter(port)).ask('/');
  expect(seen.size).toBe(2);
});

test('sixteen callers get hundreds of pages, and no failure', async () => {
  const { page } = await counted();
  const statuses: number[] = [];
  const caller = async (): Promise<void> => {
    for (let count = 0; count < 50; count += 1) statuses.push((await page.ask('/')).status);
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  expect([statuses.length, ...new Set(statuses)]).toEqual([800, 200]);
});

test('a connection that the device ends as the next request comes is no failure: the request is asked anew', async () => {
  const { page, sockets } = await raw((socket, nth) => {
    if (nth === 1) socket.write(ok('mine'));
    else socket.end();
  });
  expect((await page.ask('/')).text).toBe('mine');
  expect((await page.ask('/')).text).toBe('mine');
  expect(sockets.length).toBe(2);
});

test('a device that speaks unasked loses the connection, and its words reach nobody', async () => {
  const { page, sockets } = await raw((socket) => void socket.write(ok('mine')));
  expect((await page.ask('/')).text).toBe('mine');
  const [first] = sockets;
  const closed = closeOf(first);
  first?.write(ok('poison'));
  await closed;
  expect((await page.ask('/')).text).toBe('mine');
});

test('a connection that nobody needs any more is ended', async () => {
  const { page, sockets } = await raw((socket) => void socket.write(ok('mine')));
  await page.ask('/');
  await closeOf(sockets[0]);
});
