import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { DatabaseAddress } from '../src/platform/db/connect.ts';

/** A TCP relay in front of a database that can simulate a network partition. */
export interface PartitionedRelay extends AsyncDisposable {
  readonly address: DatabaseAddress;
  /** Drops all traffic from now on without closing a connection. */
  partition(): void;
  /** Relays new connections again. */
  heal(): void;
}

/** Relays TCP connections on loopback to the Unix socket of a database. */
export async function partitionedRelay(
  behind: Extract<DatabaseAddress, { host: string }>,
): Promise<PartitionedRelay> {
  let isPartitioned = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => near.destroy());
    if (isPartitioned) return;
    const far = connect(`${behind.host}/.s.PGSQL.5432`);
    sockets.add(far);
    far.on('error', () => far.destroy());
    pass(near, far);
    pass(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const lost = new WeakSet<Socket>();
  function pass(from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      if (!lost.has(from)) to.write(bytes);
    });
    from.on('end', () => {
      if (!lost.has(from)) to.end();
    });
  }
  return {
    address: {
      ...behind,
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
    } as DatabaseAddress,
    partition() {
      isPartitioned = true;
      for (const socket of sockets) lost.add(socket);
    },
    heal: () => void (isPartitioned = false),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
