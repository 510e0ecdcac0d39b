import { constants } from 'node:crypto';
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { limits } from '../../limits/table.ts';
import type { ConnectionCounts } from './limit-connections.ts';

/** The maximum size of the request line and the headers together, in bytes. */
export const maxHeaderBytes = 32_768;

const timeouts = {
  headersTimeout: 10_000,
  // No limit here: routes limit their bodies, and uploads and proxied requests may take long.
  requestTimeout: 0,
  keepAliveTimeout: 72_000,
  // How often Node checks for connections past their timeouts.
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: maxHeaderBytes,
  // Node would answer requests without a Host itself, and the limits of the listener would not see them.
  requireHostHeader: false,
} as const;

/**
 * Creates the server: plain HTTP, or HTTPS that requests a client certificate without verifying it. TLS sessions are never resumed, so that
 * each handshake presents it. An Upgrade header is ignored where `isUpgrade` returns false.
 */
export function createServer(
  tls: Config['tls'],
  listener: RequestListener,
  isUpgrade: (request: IncomingMessage) => boolean = () => true,
): Server {
  const options = { ...timeouts, shouldUpgradeCallback: isUpgrade };
  const server = tls === undefined ? createPlainServer(options) : createTls(options, tls);
  return server.on('request', listener).on('checkExpectation', listener);
}

function createTls(options: ServerOptions, tls: NonNullable<Config['tls']>): Server {
  return createTlsServer({
    ...options,
    cert: tls.cert,
    key: tls.key,
    requestCert: true,
    rejectUnauthorized: false,
    secureOptions: constants.SSL_OP_NO_TICKET,
    handshakeTimeout: 10_000,
  });
}

/**
 * Disconnects clients that send too many requests before they have the answers to earlier ones; browsers and programs of today send one, apt ten. Node reads 64 KiB at a time, and all requests in them would begin in one turn of the event loop:
 * more than a thousand, where these are small.
 */
export function limitPipelining(listener: RequestListener): RequestListener {
  const running = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = (running.get(socket) ?? 0) + 1;
    if (socket.destroyed || count > limits.requestsAhead.ofCaller) {
      socket.destroy();
      return stopParsing(socket);
    }
    running.set(socket, count);
    // Not before this turn ends: Node answers between two requests of one read where it calls back for a body or for many headers.
    response.once('close', () => setImmediate(() => running.set(socket, (running.get(socket) ?? 1) - 1)));
    listener(request, response);
    // The answer was the last one of the connection.
    if (response.writableEnded && !response.shouldKeepAlive) stopParsing(socket);
  };
}

/** What Node calls when it has parsed the headers of a request; 2 tells its parser that what follows is not HTTP. */
type OnIncoming = (request: IncomingMessage, keepAlive: boolean) => number;

/** A socket of an HTTP server, with the parser that Node does not document. */
interface ParsedSocket extends Socket {
  readonly parser?: { onIncoming?: OnIncoming | null } | null;
}

/**
 * Stops the parser of a connection before its next request. Node would parse all of a read of 64 KiB in this turn of the event loop, even when the socket is destroyed: a thousand requests
 * take 20 to 60 ms. The parser stops because it is told that the next request switches to another protocol. In a Node without the property `parser` it continues.
 */
export function stopParsing({ parser }: ParsedSocket): void {
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = stop;
}

function stop(request: IncomingMessage & { upgrade?: boolean }): number {
  // Or else Node would emit 'upgrade' for it.
  request.upgrade = false;
  return 2;
}

const defaultWithinMs = 30_000;

/**
 * Ends a request whose body does not arrive in time. Uploads (PUT) are excepted: their routes check for progress instead.
 */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  withinMs = defaultWithinMs,
): void {
  if (!hasBody(request)) return;
  response.once('finish', () => {
    // A timer would keep the request in memory after its answer.
    if (request.complete) return;
    // A client that is still sending after the response gets a moment to finish.
    setTimeout(() => request.complete || request.socket.destroy(), withinMs / 6);
  });
  if (request.method === 'PUT') return;
  const timer = setTimeout(() => {
    if (request.complete) return;
    if (response.headersSent) return request.socket.destroy();
    const late = Object.assign(new Error('the body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    refuseMalformed(late, request.socket);
  }, withinMs);
  const stop = (): void => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
}

/** Whether a request has a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const answers: Readonly<Record<string, { readonly status: string; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: 'The headers of the request are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: 'The request took too long to arrive.',
  },
};
const malformed = { status: '400 Bad Request', message: 'The request is not valid HTTP.' };

/** Responds to a request that Node could not parse, and ends the connection. */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, message } = answers[error.code ?? ''] ?? malformed;
  refuseSocket(socket, refusalOf(status, message));
}

/** Responds to a URL that cannot be decoded. */
export function refuseBadAddress(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ kind: 'Invalid', message: 'The address of the request is malformed.' }));
}

/** How long a refused client may take to end its side. */
const endGraceMs = 5_000;

/** A plain HTTP error with a sentence, as the bytes of the whole response; the connection ends behind it. */
export function refusalOf(status: string, message: string, headers: readonly string[] = []): string {
  const body = JSON.stringify({ kind: 'Invalid', message });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...headers,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Sends a refusal and ends the connection. What the client still sends is read and discarded; after five seconds it is disconnected. */
export function refuseSocket(socket: Duplex, refusal: string): void {
  const grace = setTimeout(() => socket.destroy(), endGraceMs);
  socket.on('error', () => socket.destroy()).once('close', () => clearTimeout(grace));
  socket.resume();
  socket.end(refusal);
}

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

/** Routes upgrade requests by path; unknown paths get 404. Returns a function that adds a path, or with a slash at its end the paths right below. */
export function routeUpgrades(
  server: Server,
  byHost: (own: UpgradeHandler) => UpgradeHandler,
): (path: string, handler: UpgradeHandler) => void {
  const handlers = new Map<string, UpgradeHandler>();
  const byPath: UpgradeHandler = (request, socket, head) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const handler = handlers.get(path) ?? handlers.get(path.slice(0, path.lastIndexOf('/') + 1));
    if (handler !== undefined) return handler(request, socket, head);
    refuseSocket(socket, notFound);
  };
  const handle = byHost(byPath);
  server.on('upgrade', (request, socket, head) => handle(request, socket as Socket, head));
  return (path, handler) => void handlers.set(path, handler);
}

/** A turn of the event loop that takes longer leaves time for connections that it does not see. */
const shortTurnMs = 2;
/** Under load there may be no such turn. */
const longestWaitMs = 1_000;
/** A client sends its first request right after it has connected. */
const firstRequestWithinMs = 500;
const checkEveryMs = 10;

/**
 * Closes the listener and the idle connections of a server at moments when no connection and no request waits in them. The system resets a connection that is closed before it was accepted
 * or read, and a proxy cannot repeat a request that may have been served. `http.Server.close` and Fastify close both at once.
 */
export async function stopListening(server: Server, connections: ConnectionCounts): Promise<void> {
  if (!server.listening) return;
  await quietTurn(server, 'connection');
  NetServer.prototype.close.call(server);
  const untilMs = performance.now() + firstRequestWithinMs;
  while (connections.unused > 0 && performance.now() < untilMs) await pause(checkEveryMs);
  await quietTurn(server, 'request');
  server.closeIdleConnections();
}

/** Resolves in a turn of the event loop that was short and brought no such event, right after sockets were polled. */
async function quietTurn(server: Server, event: 'connection' | 'request'): Promise<void> {
  let count = 0;
  const add = (): void => void (count += 1);
  server.on(event, add);
  const untilMs = performance.now() + longestWaitMs;
  // A turn is counted from the end of one poll to that of the next.
  await nextTurn();
  for (let isQuiet = false; !isQuiet && performance.now() < untilMs;) {
    const [before, beganAtMs] = [count, performance.now()];
    await nextTurn();
    isQuiet = count === before && performance.now() - beganAtMs < shortTurnMs;
  }
  server.off(event, add);
}
