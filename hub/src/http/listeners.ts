import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance, FastifyListenOptions } from 'fastify';

/**
 * How many clients wait to be accepted, as far as the system allows. A whole fleet knocks when its hub is back; whoever finds no place
 * here hears nothing at all, and tries again only after its own 20 s, where one that is accepted is told at once when to come back.
 */
const waitingClients = 16_384;

/**
 * Node accepts one connection of each listener a turn of its event loop, which is not enough for a fleet when turns are long. With TLS
 * each costs a handshake, which is not to keep a turn much longer.
 */
const listenersOf = (server: HttpServer): number => (server instanceof TlsServer ? 8 : 32);

/** Elsewhere a port cannot be shared, or is shared in another way. */
const canShare = process.platform === 'linux';

/** Where to listen. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Begins to listen, with several listeners on the one port where the system allows that. Answers how to stop listening. Rejected with
 * Node's error, `EADDRINUSE` for a port that anybody listens on already.
 */
export async function listenTogether(server: FastifyInstance, place: Place): Promise<() => Promise<void>> {
  if (!canShare) {
    await server.listen({ ...place, backlog: waitingClients });
    return async () => undefined;
  }
  const listeners = listenersOf(server.server);
  const backlog = waitingClients / listeners;
  if (place.port !== 0) await mustBeFree(place);
  // Fastify hands on what Node knows, though its types do not say so.
  const shared: FastifyListenOptions & { reusePort: boolean } = { ...place, backlog, reusePort: true };
  await server.listen(shared);
  const { address: host, port } = server.server.address() as AddressInfo;
  const others = Array.from({ length: listeners - 1 }, () => listenerFor(server.server));
  await Promise.all(others.map((other) => listenAt(other, { host, port, backlog, reusePort: true })));
  return async () => void (await Promise.all(others.map(stopped)));
}

/** A port that is shared by one's own listeners would be shared with another hub's just as well. */
async function mustBeFree(place: Place): Promise<void> {
  const probe = createServer();
  await listenAt(probe, { ...place, exclusive: true });
  await stopped(probe);
}

/** Accepts for a server: what comes in is handed to it, and lives as if it had come there. */
function listenerFor(server: HttpServer): Server {
  const isTls = server instanceof TlsServer;
  return createServer({ allowHalfOpen: !isTls, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
}

async function listenAt(server: Server, options: Parameters<Server['listen']>[0]): Promise<void> {
  server.listen(options);
  await once(server, 'listening');
}

function stopped(server: Server): Promise<unknown> {
  return new Promise((resolve) => server.close(resolve));
}
