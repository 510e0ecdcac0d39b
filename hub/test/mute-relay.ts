import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { DatabaseAddress } from '../src/db/connect.ts';

/** A network in front of a database, which can lose the machine behind it. */
export interface MuteRelay extends AsyncDisposable {
  readonly address: DatabaseAddress;
  /** From here on nothing passes, and no connection ends. */
  vanish(): void;
  /** The machine is back for new connections. */
  comeBack(): void;
}

/** Relays TCP connections on loopback to a database that is reached by its folder of Unix sockets. */
export async function muteRelay(behind: Extract<DatabaseAddress, { host: string }>): Promise<MuteRelay> {
  let isMute = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => near.destroy());
    if (isMute) return;
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
    vanish() {
      isMute = true;
      for (const socket of sockets) lost.add(socket);
    },
    comeBack: () => void (isMute = false),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
