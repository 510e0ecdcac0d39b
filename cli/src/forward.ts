import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Channel, MultiplexConnection } from '@corral/multiplex';
import { CliError } from './CliError.ts';

/** A port of this machine that leads to a port of a device. */
export interface PortPair {
  readonly localPort: number;
  readonly devicePort: number;
}

/** Reads `LOCAL:REMOTE`; 0 as the local port takes any free one. Throws a CliError. */
export function parsePortPair(text: string): PortPair {
  const [, local = '', remote = ''] = /^(\d{1,5}):(\d{1,5})$/.exec(text) ?? [];
  const pair = { localPort: Number(local), devicePort: Number(remote) };
  if (remote === '' || pair.localPort > 65_535 || pair.devicePort > 65_535 || pair.devicePort === 0) {
    throw new CliError(`${text} must be LOCAL:REMOTE, two port numbers.`);
  }
  return pair;
}

/** Listens on loopback and leads every connection through the hub to the device. Answers the server and its port. */
export async function forwardPort(
  connection: MultiplexConnection,
  deviceId: string,
  pair: PortPair,
  onProblem: (sentence: string) => void,
): Promise<{ server: Server; localPort: number }> {
  const endpoint = `device/${deviceId}/proxy/forward/tcp/${pair.devicePort}`;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    connection.openChannel(endpoint).then(
      (channel) => void join(socket, channel),
      (error: Error) => {
        onProblem(`port ${pair.devicePort}: ${error.message}`);
        socket.destroy();
      },
    );
  });
  server.listen(pair.localPort, '127.0.0.1');
  await listening(server, pair.localPort);
  return { server, localPort: (server.address() as AddressInfo).port };
}

async function listening(server: Server, port: number): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new CliError(`The port ${port} of this machine is taken.`, { cause });
  }
}

/** Joins a socket and a channel, each way with back-pressure, until both ways are over. */
async function join(socket: Socket, channel: Channel): Promise<void> {
  socket.setNoDelay(true);
  await Promise.all([toChannel(socket, channel), toSocket(channel, socket)]);
}

async function toChannel(socket: Socket, channel: Channel): Promise<void> {
  try {
    for await (const bytes of socket.iterator({ destroyOnReturn: false }))
      await channel.write(bytes as Buffer);
    channel.end();
  } catch {
    channel.abort('the local connection broke');
  }
}

async function toSocket(channel: Channel, socket: Socket): Promise<void> {
  for await (const bytes of channel) {
    if (socket.destroyed) return channel.stopReading('the local connection is gone');
    if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
  socket.end();
}
