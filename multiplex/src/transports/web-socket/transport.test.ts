import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { afterEach, describe, expect, test } from 'vitest';
import { MultiplexConnection } from '../../connection.ts';
import type { ConnectionOptions } from '../../connection-options.ts';
import { encodeFrame } from '../../frame.ts';
import type { TransportListener } from '../../transport.ts';
import { WebSocketTransport } from './transport.ts';

interface ClientSockets {
  readonly webSocket: WebSocket;
  readonly socket: Socket;
  readonly messages: Buffer[];
  readonly bytes: Buffer[];
}

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

/** Fixed by RFC 6455. */
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
const now = (): number => performance.now();
const hello = encodeFrame({ kind: 'Hello', info: new Uint8Array(0) });

/** A hub's side on a real socket, whose WebSocket is open. */
async function listen(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer();
  server.on('upgrade', (request, socket: Socket) => {
    cleanups.push(() => socket.destroy());
    const accept = hash('sha1', `${request.headers['sec-websocket-key']}${acceptSuffix}`, 'base64');
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'));
    onSocket(socket);
  });
  cleanups.push(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Connects a plain `ws` client and returns it with its TCP socket. */
async function dial(port: number): Promise<ClientSockets> {
  const webSocket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  cleanups.push(() => webSocket.terminate());
  const messages: Buffer[] = [];
  const bytes: Buffer[] = [];
  webSocket.on('message', (data) => messages.push(data as Buffer));
  const upgraded = once(webSocket, 'upgrade');
  await once(webSocket, 'open');
  const [{ socket }] = (await upgraded) as [{ socket: Socket }];
  socket.on('data', (chunk) => bytes.push(chunk));
  return { webSocket, socket, messages, bytes };
}

/** Connects as a device, over this transport. */
async function connectDevice(port: number): Promise<MultiplexConnection> {
  const key = 'AAAAAAAAAAAAAAAAAAAAAA==';
  const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': key };
  const upgrading = request({ port, headers }).end();
  return new Promise((resolve) => {
    upgrading.once('upgrade', (_answer, socket: Socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve(
        new MultiplexConnection({ transport: new WebSocketTransport(socket, { side: 'client' }), now }),
      );
    });
  });
}

/** Waits for a message that begins with this tag. */
async function received({ webSocket, messages }: ClientSockets, tag: number): Promise<void> {
  while (!messages.some((message) => message[0] === tag)) await once(webSocket, 'message');
}

async function hubWith(options: Partial<ConnectionOptions> = {}) {
  const { promise, resolve } = Promise.withResolvers<MultiplexConnection>();
  const port = await listen((socket) => {
    const transport = new WebSocketTransport(socket, { side: 'server' });
    resolve(new MultiplexConnection({ transport, now, ...options }));
  });
  return { port, connection: promise };
}

describe('web-socket transport', () => {
  test('[TR2] the end is FIN without a WebSocket close frame, after everything that was sent', async () => {
    const hub = await hubWith();
    const far = await dial(hub.port);
    const { webSocket, messages, bytes } = far;
    const connection = await hub.connection;
    webSocket.send(encodeFrame({ kind: 'Ping' }));
    await received(far, 0x21);
    connection.close('maintenance');
    const [code] = await once(webSocket, 'close');
    expect(code).toBe(1006);
    expect(messages.map((message) => message[0])).toEqual([0x00, 0x21, 0xff]);
    expect(Buffer.from(messages[2]!.subarray(1)).toString()).toBe('maintenance');
    expect(Buffer.concat(bytes).includes(0x88)).toBe(false);
  });

  test('[TR2] a backlog larger than the buffer of the socket arrives completely before the end', async () => {
    const { promise, resolve } = Promise.withResolvers<WebSocketTransport>();
    const port = await listen((socket) => {
      const transport = new WebSocketTransport(socket, { side: 'server' });
      transport.attach(ignoringListener);
      resolve(transport);
    });
    const { webSocket, socket } = await dial(port);
    let receivedBytes = 0;
    webSocket.on('message', (data: Buffer) => {
      receivedBytes += data.length;
    });
    socket.pause();
    const transport = await promise;
    for (let index = 0; index < 32; index += 1) transport.send(new Uint8Array(1_048_576));
    expect(transport.bufferedBytes).toBeGreaterThan(0);
    transport.end();
    transport.send(Uint8Array.of(1));
    socket.resume();
    await once(webSocket, 'close');
    expect(receivedBytes).toBe(32 * 1_048_576);
  });

  test('[TR3] the end of the TCP stream without a close frame is a clean end at once', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const hub = await hubWith({ onClosed: resolve });
    const { socket } = await dial(hub.port);
    await hub.connection;
    socket.end();
    expect(await promise).toEqual({ cause: 'lost', reason: '' });
  });

  test('[TR3] the end of a peer that has not read its backlog is the end at once', async () => {
    const opened = Promise.withResolvers<WebSocketTransport>();
    const port = await listen((socket) => opened.resolve(new WebSocketTransport(socket, { side: 'server' })));
    const raw = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    cleanups.push(() => raw.destroy());
    raw.write(
      'GET / HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await once(raw, 'data');
    raw.pause();
    const transport = await opened.promise;
    for (let index = 0; index < 16; index += 1) transport.send(new Uint8Array(1_048_576));
    const ended = Promise.withResolvers<number>();
    transport.attach({
      ...ignoringListener,
      onEnd: () => ended.resolve(transport.bufferedBytes),
    });
    raw.end();
    expect(await ended.promise).toBeGreaterThan(0);
  });

  test('[TR3] [EN4] messages before the end are delivered before it, by a WebSocket that delivers one message a turn', async () => {
    const received: unknown[] = [];
    const ended = Promise.withResolvers<void>();
    const port = await listen((socket) => {
      new WebSocketTransport(socket, { side: 'server' }).attach({
        ...ignoringListener,
        onMessage: (bytes) => received.push(bytes[0]),
        onEnd: () => ended.resolve(),
      });
    });
    const { webSocket, socket } = await dial(port);
    socket.cork();
    for (let tag = 0; tag < 100; tag += 1) webSocket.send(Uint8Array.of(tag));
    socket.end();
    socket.uncork();
    await ended.promise;
    expect(received).toEqual(Array.from({ length: 100 }, (_, tag) => tag));
  });

  test('[TR1] [CL5] text messages and pings of the WebSocket count as Pings', async () => {
    for (const flood of ['send', 'ping'] as const) {
      const hub = await hubWith({ limits: { pingsPerSecond: 20 } });
      const { webSocket } = await dial(hub.port);
      for (let count = 0; count < 60; count += 1) webSocket[flood]('x');
      expect(await (await hub.connection).closed).toMatchObject({ reason: 'too many pings' });
    }
  });

  test('[TR3] a reset is treated like a normal end', async () => {
    const { promise, resolve } = Promise.withResolvers<{ cause: string }>();
    const hub = await hubWith({ onClosed: resolve });
    const { socket } = await dial(hub.port);
    await hub.connection;
    socket.resetAndDestroy();
    expect((await promise).cause).toBe('lost');
  });

  test('[TR1] text messages are ignored', async () => {
    const hub = await hubWith();
    const far = await dial(hub.port);
    const connection = await hub.connection;
    far.webSocket.send('what?');
    far.webSocket.send(hello);
    far.webSocket.send(encodeFrame({ kind: 'Ping' }));
    await received(far, 0x21);
    expect(connection.end).toBeUndefined();
  });

  test('[TR7] [CL4] input that is no valid WebSocket is answered as a violation', async () => {
    const hub = await hubWith();
    const { webSocket, socket } = await dial(hub.port);
    const connection = await hub.connection;
    const notMasked = Uint8Array.of(0x82, 1, 0x20);
    socket.write(notMasked);
    expect(await connection.closed).toMatchObject({
      cause: 'violation',
      reason: expect.stringMatching(/MASK/),
    });
    await once(webSocket, 'close');
  });

  test('[TR6] the socket of a peer that neither reads nor ends is destroyed after the grace period', async () => {
    const opened = Promise.withResolvers<{ transport: WebSocketTransport; socket: Socket }>();
    const port = await listen((socket) => {
      opened.resolve({
        transport: new WebSocketTransport(socket, { side: 'server', endGraceMs: 20 }),
        socket,
      });
    });
    const far = await dial(port);
    far.socket.pause();
    const { transport, socket } = await opened.promise;
    transport.attach(ignoringListener);
    for (let index = 0; index < 16; index += 1) transport.send(new Uint8Array(1_048_576));
    transport.end();
    expect(transport.bufferedBytes).toBeGreaterThan(0);
    // The peer does not read, so only the grace period closes this socket.
    await once(socket, 'close');
  });

  test('[TR2] pings and close frames of the WebSocket after the end do not truncate the backlog', async () => {
    const opened = Promise.withResolvers<WebSocketTransport>();
    const port = await listen((socket) => {
      const transport = new WebSocketTransport(socket, { side: 'server' });
      transport.attach(ignoringListener);
      opened.resolve(transport);
    });
    const { webSocket, socket } = await dial(port);
    let receivedBytes = 0;
    webSocket.on('message', (data: Buffer) => {
      receivedBytes += data.length;
    });
    socket.pause();
    const transport = await opened.promise;
    for (let index = 0; index < 16; index += 1) transport.send(new Uint8Array(1_048_576));
    transport.end();
    webSocket.ping();
    webSocket.ping();
    socket.resume();
    await once(webSocket, 'close');
    expect(receivedBytes).toBe(16 * 1_048_576);
  });

  test('both ends communicate over a real socket, with data after the acceptance', async () => {
    const payload = new Uint8Array(5_000_000).map((_, index) => index % 251);
    const hub = await hubWith({
      onChannelRequest: (request) => {
        const channel = request.accept();
        void channel.write(payload).then(() => channel.end());
      },
    });
    const device = await connectDevice(hub.port);
    const channel = await device.openChannel('anything');
    const parts: Uint8Array[] = [];
    for await (const part of channel) parts.push(part);
    expect(Buffer.concat(parts).equals(Buffer.from(payload))).toBe(true);
    device.close('done');
    expect(await (await hub.connection).closed).toEqual({ cause: 'peer', reason: 'done' });
  });
});
