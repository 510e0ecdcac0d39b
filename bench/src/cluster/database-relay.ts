import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What becomes of the connections of a cut: their bytes arrive after it, as when TCP sends again, or never, as behind a firewall that has forgotten them. */
export type Cut = 'held' | 'lost';

/** A relay between one hub and its database, which can be cut. */
export interface DatabaseRelay {
  /** The database for the hub. */
  readonly url: string;
  /** Nothing passes from now on, and no connection is closed or opened. */
  cut(how: Cut): void;
  heal(): void;
  close(): Promise<void>;
}

type Pair = readonly [near: Socket, far: Socket];

/** Relays connections of loopback to the Unix socket of the database of a cluster. */
export async function startDatabaseRelay(databaseUrl: string): Promise<DatabaseRelay> {
  const behind = new URL(databaseUrl);
  const socketPath = `${behind.searchParams.get('host')}/.s.PGSQL.5432`;
  const pairs = new Set<Pair>();
  const lost = new Set<Pair>();
  let isCut = false;
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    const far = connect(socketPath);
    const pair = [near, far] as const;
    pairs.add(pair);
    far.on('error', () => far.destroy());
    near.pipe(far).pipe(near);
    for (const socket of pair) socket.once('close', () => pairs.delete(pair));
    if (isCut) hold(pair);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { username, password, pathname } = behind;
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    cut(how) {
      isCut = true;
      for (const pair of pairs) {
        hold(pair);
        if (how === 'lost' && pairs.delete(pair)) lost.add(pair);
      }
    },
    heal() {
      isCut = false;
      for (const [near, far] of pairs) near.pipe(far).pipe(near);
    },
    async close() {
      server.close();
      for (const socket of [...pairs, ...lost].flat()) socket.destroy();
    },
  };
}

function hold([near, far]: Pair): void {
  near.unpipe(far).pause();
  far.unpipe(near).pause();
}
