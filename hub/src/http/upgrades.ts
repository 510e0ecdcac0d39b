import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { refusalOf, refuseSocket } from './refuse-socket.ts';

/** Takes over the socket of an upgrade request. */
export type UpgradeHandler = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

const notFound = refusalOf('404 Not Found', 'There is nothing at this address to upgrade to.');

/**
 * Whether a request with an Upgrade header is treated as an upgrade. On the hub's own site only WebSockets are: a server may ignore other
 * protocols (RFC 9110, 7.8). On device hosts every upgrade is, so that the proxy can refuse the ones it does not know.
 */
export function mayUpgrade(
  siteOf: (request: IncomingMessage) => string,
): (request: IncomingMessage) => boolean {
  return (request) =>
    siteOf(request) !== 'hub' || /(?:^|,)\s*websocket\s*(?:,|$)/i.test(request.headers.upgrade ?? '');
}

/** Routes upgrade requests by path; unknown paths get 404. Returns a function that adds a path. */
export function routeUpgrades(
  server: Server,
  byHost: (own: UpgradeHandler) => UpgradeHandler,
): (path: string, handler: UpgradeHandler) => void {
  const handlers = new Map<string, UpgradeHandler>();
  const byPath: UpgradeHandler = (request, socket, head) => {
    const handler = handlers.get((request.url ?? '').split('?')[0] ?? '');
    if (handler !== undefined) return handler(request, socket, head);
    refuseSocket(socket, notFound);
  };
  const handle = byHost(byPath);
  server.on('upgrade', (request, socket, head) => handle(request, socket as Socket, head));
  return (path, handler) => void handlers.set(path, handler);
}
