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

/** When a server gives up a client that does not answer: its connections over TCP probe after 5 s and end after 10 s of silence; those of its Unix socket never do. */
const serverGivesUpAfterMs = 15_000;

/** Relays connections of loopback to the Unix socket of the database of a cluster. */
export async function startDatabaseRelay(databaseUrl: string): Promise<DatabaseRelay> {
  const behind = new URL(databaseUrl);
  const socketPath = `${behind.searchParams.get('host')}/.s.PGSQL.5432`;
  const pairs = new Pairs();
  const server = createServer((near) => pairs.add([near, connect(socketPath)])).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { username, password, pathname } = behind;
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    cut: (how) => pairs.cut(how),
    heal: () => pairs.heal(),
    async close() {
      server.close();
      pairs.destroy();
    },
  };
}

/** The connections through a relay. */
class Pairs {
  readonly #open = new Set<Pair>();
  readonly #lost = new Set<Pair>();
  #isCut = false;

  add(pair: Pair): void {
    const [near, far] = pair;
    this.#open.add(pair);
    for (const socket of pair) socket.on('error', () => socket.destroy());
    near.once('close', () => this.#endFar(pair));
    far.once('close', () => this.#open.delete(pair));
    near.pipe(far).pipe(near);
    if (this.#isCut) hold(pair);
  }

  cut(how: Cut): void {
    this.#isCut = true;
    for (const pair of this.#open) {
      hold(pair);
      if (how === 'lost') this.#lose(pair);
    }
  }

  heal(): void {
    this.#isCut = false;
    for (const pair of this.#open) {
      const [near, far] = pair;
      if (near.destroyed) this.#endFar(pair);
      else near.pipe(far).pipe(near);
    }
  }

  destroy(): void {
    for (const socket of [...this.#open, ...this.#lost].flat()) socket.destroy();
  }

  /** The server learns that the hub has closed a connection once bytes pass again. */
  #endFar(pair: Pair): void {
    if (!this.#isCut && this.#open.delete(pair)) pair[1].destroy();
  }

  #lose(pair: Pair): void {
    this.#open.delete(pair);
    this.#lost.add(pair);
    setTimeout(() => pair[1].destroy(), serverGivesUpAfterMs).unref();
  }
}

function hold([near, far]: Pair): void {
  near.unpipe(far).pause();
  far.unpipe(near).pause();
}
