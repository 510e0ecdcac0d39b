import { connect as connectSocket, type Socket } from 'node:net';
import type { Channel, ChannelRequest } from '@corral/multiplex';

const endpointForm = /^forward\/tcp\/(\d{1,5})$/;
const connectTimeoutMs = 10_000;
const flushTimeoutMs = 60_000;

/** Answers what the hub asks a device for: `forward/tcp/<port>` reaches that port of this machine, all else is rejected. */
export function serveForward(request: ChannelRequest): void {
  const port = Number(endpointForm.exec(request.endpoint)?.[1] ?? 0);
  if (port < 1 || port > 65_535) return request.reject('unknown endpoint');
  const socket = connectSocket({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
  socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('timed out')));
  const refuse = (error: NodeJS.ErrnoException): void => request.reject(refusalOf(error, port));
  socket.once('error', refuse);
  socket.once('connect', () => {
    socket.off('error', refuse);
    socket.setTimeout(0).removeAllListeners('timeout');
    void joinWithSocket(request.accept(), socket);
  });
}

function refusalOf(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'ECONNREFUSED')
    return `connection refused: nothing listens on port ${port} of the device`;
  if (error.message === 'timed out') return `port ${port} of the device does not answer`;
  return `port ${port} of the device cannot be reached: ${error.message}`;
}

/** Joins a channel and a socket both ways, each with its own end and with back-pressure; fulfilled when both are over. */
async function joinWithSocket(channel: Channel, socket: Socket): Promise<void> {
  socket.on('error', (error) => channel.abort(error.message));
  void toChannel(socket, channel);
  await toSocket(channel, socket);
  await channel.closed;
  // What is written goes out first, unless the program at the port never takes it.
  socket.setTimeout(flushTimeoutMs, () => socket.destroy());
  socket.destroySoon();
}

async function toChannel(socket: Socket, channel: Channel): Promise<void> {
  try {
    for await (const bytes of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      await channel.write(bytes);
    }
    channel.end();
  } catch {
    // The far end takes no more: what still comes stays in the socket, which ends with the other direction.
    socket.pause();
  }
}

async function toSocket(channel: Channel, socket: Socket): Promise<void> {
  try {
    for (let bytes = await channel.read(); bytes !== null; bytes = await channel.read()) {
      await written(socket, bytes);
    }
    socket.end();
  } catch (error) {
    channel.stopReading(error instanceof Error ? error.message : '');
  }
}

function written(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
