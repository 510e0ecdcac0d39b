import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ProxyLimits } from './limits.ts';
import { proxiedDevice, type ProxiedDevice, type ProxiedPort } from '../../../test/proxied-device.ts';

const held: ServerResponse[] = [];
let isSilent = true;
const sockets: Socket[] = [];

/** A device that does not respond by itself while `isSilent`, and one of its pages. */
async function silentDevice(limits: Partial<ProxyLimits>) {
  const device = await proxiedDevice(limits);
  const port = await device.serve((_request, response) => {
    if (isSilent) held.push(response);
    else response.end();
  });
  const page = await device.enter(port);
  return { device, page };
}

const causeOf = async (response: ReturnType<ProxiedPort['ask']>): Promise<unknown> =>
  (await response).headers['x-corral-failure'];
const holds = (count: number) => vi.waitFor(() => expect(held.length).toBe(count));

test('requests beyond the limit of a device queue, and beyond the queue get 503', async () => {
  const { device, page } = await silentDevice({
    streamsOfDevice: { ofCaller: 3, waitingOfCaller: 2 },
    responseTimeoutMs: 60_000,
  });
  await using _ = device;
  const first = Array.from({ length: 3 }, () => page.open('/'));
  await holds(3);
  for (const response of held) response.writeHead(200).write('x');
  const open = await Promise.all(first);
  // Two of these wait, whichever come first; the third is answered while they do.
  const second = Array.from({ length: 3 }, () => page.open('/'));
  const refused = await Promise.race(second);
  expect([refused.statusCode, refused.headers['x-corral-failure']]).toEqual([503, 'busy']);
  for (const answer of open) answer.resume();
  held.shift()?.end();
  await holds(3);
  held.pop()?.end('next');
  await holds(3);
  isSilent = false;
  for (const response of held.splice(0)) response.end();
  const statuses = (await Promise.all(second)).map(({ statusCode }) => statusCode);
  expect(statuses.toSorted((a = 0, b = 0) => a - b)).toEqual([200, 200, 503]);
  isSilent = true;
});

describe('with a response timeout of one second', () => {
  let device: ProxiedDevice;
  let page: ProxiedPort;
  beforeAll(async () => void ({ device, page } = await silentDevice({ responseTimeoutMs: 1_000 })));
  afterAll(() => device[Symbol.asyncDispose]());

  test('a device that never responds: 504', async () => {
    const { status, headers, text } = await page.ask('/', { headers: { accept: 'text/html' } });
    expect([status, headers['x-corral-failure']]).toEqual([504, 'silent']);
    expect(text).toContain('does not answer');
  });

  test('a device that sends the head of its response slowly gets no more time: 504', async () => {
    const port = await device.serveRaw((socket) => {
      sockets.push(socket);
      socket.on('error', () => socket.destroy()).resume();
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('X-Drop: 1\r\n'), 50);
      socket.once('close', () => clearInterval(timer));
    });
    const slow = await device.enter(port);
    expect(await causeOf(slow.ask('/'))).toBe('silent');
    await vi.waitFor(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true));
  });

  test('a client that stops sending its body: 408', async () => {
    const socket = await page.socket();
    socket.write(
      `POST / HTTP/1.1\r\nHost: ${page.host}\r\nCookie: ${page.cookie}\r\nContent-Length: 9\r\n\r\nhalf`,
    );
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
  });
});
