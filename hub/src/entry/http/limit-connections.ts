import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { networkOf } from '../../auth/network.ts';
import { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { refusalOf } from './node-server.ts';

/** How many connections a server holds. */
export interface ConnectionLimits {
  readonly total: number;
  /** From one IPv4 address or one IPv6 /64. */
  readonly perAddress: number;
  /** Whether an address, that of a proxy, may have any number of them. */
  readonly isProxy: (address: string | undefined) => boolean;
}

/** Counts the open connections of a server. */
export interface ConnectionCounts {
  readonly open: number;
  /** How many were refused or closed for others since the start. */
  readonly refused: number;
  /** Open ones that have sent no request yet. */
  readonly unused: number;
}

const tooMany = refusalOf('503 Service Unavailable', 'There are too many connections from this address.', [
  'Retry-After: 5',
]);

/**
 * Bounds the connections of a server. One from an address that has too many is refused. When there are too many in all, the one that has been
 * without a request for longest is closed for the new one, so that health checks and the console find room; without such a one the new one is refused.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): ConnectionCounts {
  const connections = new Connections(limits);
  server.on('connection', (socket: Socket) => {
    if (connections.add(socket)) return;
    // Over TLS an answer would need a handshake, so there is none. The socket does not stay open until the client has read the answer.
    if (!(server instanceof TlsServer)) socket.write(tooMany);
    socket.on('error', () => {}).destroySoon();
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.begin(request.socket);
    response.once('close', () => connections.end(connection));
  });
  server.prependListener('upgrade', (request: IncomingMessage) => void connections.begin(request.socket));
  return connections;
}

interface Connection {
  readonly socket: Socket;
  readonly peer: string;
  readonly network: string | undefined;
  /** Requests that run on it; an upgrade never ends. */
  running: number;
  hasSentRequest: boolean;
}

class Connections implements ConnectionCounts {
  readonly #limits: ConnectionLimits;
  /** By the peer's address and port: over TLS, requests name another socket object than the one that was accepted. */
  readonly #byPeer = new Map<string, Connection>();
  readonly #ofNetworks: FairSemaphore;
  /** Connections without a running request, the longest idle first. */
  readonly #idle = new Set<Connection>();
  refused = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#ofNetworks = new FairSemaphore({ ofCaller: limits.perAddress }, () => new Error(tooMany));
  }

  get open(): number {
    return this.#byPeer.size;
  }

  get unused(): number {
    return [...this.#idle].filter(({ hasSentRequest }) => !hasSentRequest).length;
  }

  /** Counts a new connection until it closes; false if there is no room for it. */
  add(socket: Socket): boolean {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return false;
    const network = this.#limits.isProxy(remoteAddress) ? undefined : networkOf(remoteAddress);
    if (!this.#takePlace(network)) {
      this.refused += 1;
      return false;
    }
    const connection = { socket, peer: peerOf(socket), network, running: 0, hasSentRequest: false };
    this.#byPeer.set(connection.peer, connection);
    this.#idle.add(connection);
    socket.once('close', () => this.#remove(connection));
    return true;
  }

  /** Counts a request that runs on a connection. */
  begin(socket: Socket): Connection | undefined {
    const connection = this.#byPeer.get(peerOf(socket));
    if (connection === undefined) return undefined;
    connection.running += 1;
    connection.hasSentRequest = true;
    this.#idle.delete(connection);
    return connection;
  }

  /** Ends the request; the connection is idle after the last one. */
  end(connection: Connection | undefined): void {
    if (connection === undefined) return;
    connection.running -= 1;
    const isOpen = this.#byPeer.get(connection.peer) === connection;
    if (connection.running === 0 && isOpen) this.#idle.add(connection);
  }

  #takePlace(network: string | undefined): boolean {
    if (network !== undefined && !this.#ofNetworks.tryAcquire({ caller: network })) return false;
    if (this.#makeRoom()) return true;
    this.#release(network);
    return false;
  }

  #makeRoom(): boolean {
    if (this.#byPeer.size < this.#limits.total) return true;
    const [longest] = this.#idle;
    if (longest === undefined) return false;
    this.#remove(longest);
    longest.socket.destroy();
    this.refused += 1;
    return true;
  }

  /** The peer may have connected anew by the time that its former connection closes. */
  #remove(connection: Connection): void {
    if (this.#byPeer.get(connection.peer) !== connection) return;
    this.#byPeer.delete(connection.peer);
    this.#idle.delete(connection);
    this.#release(connection.network);
  }

  #release(network: string | undefined): void {
    if (network !== undefined) this.#ofNetworks.release({ caller: network });
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
