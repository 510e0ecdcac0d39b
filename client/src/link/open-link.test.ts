import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openLink, type LinkSocket, type LinkSocketOptions } from './open-link.ts';

/** How a link to this hub would be masked: a mask of zeros, or what the WebSocket draws. */
async function maskTowards(hubUrl: string): Promise<'zeros' | 'drawn'> {
  let form: LinkSocketOptions | undefined;
  const createSocket = (_url: string, options: LinkSocketOptions): LinkSocket => {
    form = options;
    throw new Error('enough is known');
  };
  await expect(openLink({ hubUrl, headers: {}, createSocket })).rejects.toThrow('enough is known');
  if (form?.generateMask === undefined) return 'drawn';
  const mask = Uint8Array.of(1, 2, 3, 4);
  form.generateMask(mask);
  return mask.every((byte) => byte === 0) ? 'zeros' : 'drawn';
}

test.each([
  ['https://hub.example', 'zeros'],
  ['https://192.0.2.1:8443', 'zeros'],
  ['http://127.0.0.1:8080', 'zeros'],
  ['http://127.8.9.1', 'zeros'],
  ['http://localhost:8080', 'zeros'],
  ['http://[::1]:8080', 'zeros'],
  ['http://hub.example', 'drawn'],
  ['http://192.0.2.1', 'drawn'],
  ['http://127.0.0.1.example', 'drawn'],
  ['http://localhost.example', 'drawn'],
] as const)('frames to %s are masked with %s', async (hubUrl, mask) => {
  expect(await maskTowards(hubUrl)).toBe(mask);
});

const socketId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

test('on the wire to this machine a frame says that it is masked, and is not changed by it', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hubUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const opening = openLink({
    hubUrl,
    headers: {},
    info: 'corral-cli/1.2.3',
    createSocket: (url, form) => new WebSocket(url, form) as LinkSocket,
  });
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [request] = (await once(socket, 'data')) as [Buffer];
  const key = /^Sec-WebSocket-Key: (.*)\r$/im.exec(request.toString())?.[1] ?? '';
  const accept = createHash('sha1').update(`${key}${socketId}`).digest('base64');
  const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade`;
  socket.write(`${head}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  const [frame] = (await once(socket, 'data')) as [Buffer];
  // A final binary frame of a masked Hello: the mask, then its tag and the beginning of the magic.
  expect([...frame.subarray(0, 9)]).toEqual([0x82, 0x80 | 33, 0, 0, 0, 0, 0x00, 27, 27]);
  expect(frame.subarray(6 + 17).toString()).toBe('corral-cli/1.2.3');
  (await opening).close('');
  socket.destroy();
  server.close();
});
