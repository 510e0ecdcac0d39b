import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Takes over the socket of an upgrade request. */
export type UpgradeHandler = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

const body = JSON.stringify({ kind: 'Invalid', message: 'There is nothing at this address to upgrade to.' });
const notFound = [
  'HTTP/1.1 404 Not Found',
  'Content-Type: application/json; charset=utf-8',
  `Content-Length: ${Buffer.byteLength(body)}`,
  'Connection: close',
  '',
  body,
].join('\r\n');

/** How long a client that was refused may take to end its side. */
const endGraceMs = 5_000;

/**
 * Whether a request that asks for an upgrade gets to whoever serves its path. On the hub's own site only WebSockets do: any other protocol is
 * an offer that a server may ignore (RFC 9110, 7.8). Devices' hosts refuse it, since nothing may pass them that was not understood.
 */
export function mayUpgrade(
  siteOf: (request: IncomingMessage) => string,
): (request: IncomingMessage) => boolean {
  return (request) =>
    siteOf(request) !== 'hub' || /(?:^|,)\s*websocket\s*(?:,|$)/i.test(request.headers.upgrade ?? '');
}

/** Hands upgrade requests to whoever serves their path; any other is answered 404 and closed. Answers how to add a path. */
export function routeUpgrades(
  server: Server,
  byHost: (own: UpgradeHandler) => UpgradeHandler,
): (path: string, handler: UpgradeHandler) => void {
  const handlers = new Map<string, UpgradeHandler>();
  const byPath: UpgradeHandler = (request, socket, head) => {
    const handler = handlers.get((request.url ?? '').split('?')[0] ?? '');
    if (handler !== undefined) return handler(request, socket, head);
    refuse(socket);
  };
  const handle = byHost(byPath);
  server.on('upgrade', (request, socket, head) => handle(request, socket as Socket, head));
  return (path, handler) => void handlers.set(path, handler);
}

/** A client that neither reads nor ends its side is cut off after a while, so that it keeps no socket of the hub. */
function refuse(socket: Socket): void {
  const grace = setTimeout(() => socket.destroy(), endGraceMs);
  socket.on('error', () => socket.destroy()).once('close', () => clearTimeout(grace));
  socket.resume();
  socket.end(notFound);
}
