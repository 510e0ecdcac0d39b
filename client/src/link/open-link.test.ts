import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openLink } from './open-link.ts';

const socketId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The first frame that a link sends to a hub with this host name. */
async function firstFrame(hubUrl: string): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const opening = openLink({
    hubUrl,
    headers: {},
    info: 'corral-cli/1.2.3',
    // Every host name leads to this server.
    request: (_url, form) => request(`http://127.0.0.1:${port}`, form),
  });
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [handshake] = (await once(socket, 'data')) as [Buffer];
  const key = /^Sec-WebSocket-Key: (.*)\r$/im.exec(handshake.toString())?.[1] ?? '';
  const accept = createHash('sha1').update(`${key}${socketId}`).digest('base64');
  const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade`;
  socket.write(`${head}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  const [frame] = (await once(socket, 'data')) as [Buffer];
  (await opening).close('');
  socket.destroy();
  server.close();
  return frame;
}

/** The payload of a masked Hello of 33 bytes, without its mask. */
function unmasked(frame: Buffer): Buffer {
  return Buffer.from(frame.subarray(6, 6 + 33).map((byte, index) => byte ^ frame[2 + (index % 4)]!));
}

test.each([
  ['https://hub.example', 'zeros'],
  ['https://192.0.2.1:8443', 'zeros'],
  ['http://127.0.0.1:8080', 'zeros'],
  ['http://127.8.9.1', 'zeros'],
  ['http://localhost:8080', 'zeros'],
  ['http://[::1]:8080', 'zeros'],
  ['http://hub.localhost:8080', 'zeros'],
  ['http://hub.example', 'drawn'],
  ['http://192.0.2.1', 'drawn'],
  ['http://127.0.0.1.example', 'drawn'],
  ['http://localhost.example', 'drawn'],
] as const)('frames to %s are masked, with %s', async (hubUrl, mask) => {
  const frame = await firstFrame(hubUrl);
  expect([...frame.subarray(0, 2)]).toEqual([0x82, 0x80 | 33]);
  expect(frame.subarray(2, 6).equals(Buffer.alloc(4)) ? 'zeros' : 'drawn').toBe(mask);
  // The tag and the start of the magic number; the info follows.
  expect([...unmasked(frame).subarray(0, 3)]).toEqual([0x00, 27, 27]);
  expect(unmasked(frame).subarray(17).toString()).toBe('corral-cli/1.2.3');
});
