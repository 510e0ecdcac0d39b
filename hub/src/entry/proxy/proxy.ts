import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Channel } from '@corral/multiplex';
import { isLoopback } from '../../config/addresses.ts';
import { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { createAccessChecks } from './access.ts';
import { proxyCookie } from './cookie.ts';
import { sendFailure } from './failure-page.ts';
import { isFromOwnPages, isSameOrigin } from './fetch-site.ts';
import { forwardResponse } from './forward-response.ts';
import { headersForDevice } from './headers.ts';
import { IdleStreamPool } from './IdleStreamPool.ts';
import { defaultLimits } from './limits.ts';
import { openForPeer, type OpenHere } from './open-for-peer.ts';
import {
  authorize,
  authorizeFromCache,
  isKnown,
  type AuthorizedAccess,
  type ProxyContext,
  type ProxyParts,
} from './proxy-context.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { redeemEntryToken } from './redeem-entry-token.ts';
import { requestBodyOf } from './request-body.ts';
import { readTarget } from './request-target.ts';
import { sendRequest, type DeviceResponse } from './send-request.ts';
import { leaseIdleStream, openStream, type StreamLease } from './stream-lease.ts';
import { bridgeWebSocket, mustBeWebSocketUpgrade } from './web-socket.ts';

/** Forwards browsers' requests to web servers on devices. */
export interface Proxy {
  handle(request: IncomingMessage, response: ServerResponse): void;
  handleUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Whether a request has an access that was valid when it was last used. */
  isKnown(request: IncomingMessage): boolean;
  /** Opens a stream for pages that another node serves, to a device of this node: see `openForPeer`. */
  openForPeer(deviceId: string, open: OpenHere, signal: AbortSignal): Promise<Channel>;
  /** How many requests use or open a stream to a device. */
  readonly streamCount: number;
  /** Aborts all requests and closes all idle streams. */
  stop(): void;
}

/** Builds the proxy. The HTTP server passes it the requests for the devices' host names. */
export function createProxy(parts: ProxyParts): Proxy {
  const limits = { ...defaultLimits, ...parts.limits };
  const context: ProxyContext = {
    parts,
    limits,
    cookie: proxyCookie(parts.isPlainHttp),
    checks: createAccessChecks(parts),
    streams: new FairSemaphore(limits.streamsOfDevice, () => new ProxyFailure('busy')),
    idleStreams: new IdleStreamPool(parts.nowMs),
    requests: new Set(),
    ...transportOf(parts),
  };
  return {
    handle: (request, response) => void serve(context, request, response),
    handleUpgrade: (request, socket, head) => void upgrade(context, request, socket, head),
    isKnown: (request) => isKnown(context, request),
    openForPeer: (deviceId, open, signal) => openForPeer(context.streams, deviceId, open, signal),
    get streamCount() {
      return context.requests.size;
    },
    stop() {
      context.checks.close();
      context.idleStreams.close();
      for (const request of context.requests) request.abort(new ProxyFailure('notReady'));
    },
  };
}

/** The origins are known once the hub listens and never change, so they are read at the first request and cached. */
function transportOf({ origins }: ProxyParts): Pick<ProxyContext, 'scheme' | 'sendsHsts'> {
  let scheme: 'http' | 'https' | undefined;
  let sendsHsts: boolean | undefined;
  return {
    scheme: () => (scheme ??= origins().proxyOf('x').startsWith('https:') ? 'https' : 'http'),
    sendsHsts() {
      sendsHsts ??= this.scheme() === 'https' && !isLoopback(origins().proxyDomain);
      return sendsHsts;
    },
  };
}

async function serve(
  context: ProxyContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let port: number | undefined;
  try {
    const { path, entryToken } = readTarget(request);
    if (entryToken !== undefined)
      return await redeemEntryToken(context, request, response, { token: entryToken, path });
    const authorized = authorizeFromCache(context, request) ?? (await authorize(context, request));
    if (!isFromOwnPages(request)) throw new ProxyFailure('foreign');
    ({ port } = authorized.access);
    const keepAlive = isReplayable(request);
    const { lease, upstream } = await sendWithRetry(context, authorized, request, response, {
      path,
      keepAlive,
    });
    await finish(context, lease, upstream, { request, response, keepAlive });
  } catch (error) {
    respondWithError(context, request, response, error, port);
  }
}

async function upgrade(
  context: ProxyContext,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<void> {
  const response = responseOn(request, socket);
  let port: number | undefined;
  try {
    mustBeWebSocketUpgrade(request);
    const { path, entryToken } = readTarget(request);
    if (entryToken !== undefined) throw new ProxyFailure('malformed');
    const authorized = await authorize(context, request);
    if (!isSameOrigin(request.headers)) throw new ProxyFailure('foreign');
    ({ port } = authorized.access);
    const onClientClose = (callback: () => void): void =>
      socket.destroyed ? callback() : void socket.once('close', callback);
    const lease = await openStream(context, authorized, onClientClose);
    const upstream = await send(context, lease, request, { path, isUpgrade: true, keepAlive: false });
    if (upstream.head.status !== 101)
      return await finish(context, lease, upstream, { request, response, keepAlive: false });
    bridgeWebSocket({ request, socket, head, lease, cookie: context.cookie }, upstream);
  } catch (error) {
    respondWithError(context, request, response, error, port);
  }
}

/** A replayable request may use an idle stream. It is sent once more on a new stream if the device closed the idle one just then. */
async function sendWithRetry(
  context: ProxyContext,
  authorized: AuthorizedAccess,
  request: IncomingMessage,
  response: ServerResponse,
  { path, keepAlive }: { readonly path: string; readonly keepAlive: boolean },
): Promise<{ lease: StreamLease; upstream: DeviceResponse }> {
  const onClientClose = (callback: () => void): void => onceClientCloses(request, response, callback);
  const options = { path, isUpgrade: false, keepAlive };
  const idle = keepAlive ? leaseIdleStream(context, authorized, onClientClose) : undefined;
  const lease = idle ?? (await openStream(context, authorized, onClientClose));
  const { isReused, stream } = lease;
  try {
    return { lease, upstream: await send(context, lease, request, options) };
  } catch (error) {
    const isStale = isReused && stream.receivedBytes === 0 && isConnectionLoss(error);
    if (!isStale || response.closed) throw error;
    // The stream may also have been aborted because the access ended, so authorize again.
    const fresh = await openStream(context, await authorize(context, request), onClientClose);
    return { lease: fresh, upstream: await send(context, fresh, request, options) };
  }
}

/** Whether a request is safe to send twice and has no body. */
function isReplayable(request: IncomingMessage): boolean {
  const { method } = request;
  return (method === 'GET' || method === 'HEAD') && requestBodyOf(request).kind === 'none';
}

const isConnectionLoss = (error: unknown): boolean =>
  error instanceof ProxyFailure && (error.failure === 'refused' || error.failure === 'broken');

async function send(
  { cookie, limits, scheme }: ProxyContext,
  lease: StreamLease,
  request: IncomingMessage,
  options: { path: string; isUpgrade: boolean; keepAlive: boolean },
): Promise<DeviceResponse> {
  const host = request.headers.host ?? '';
  const headers = headersForDevice(request, { host, scheme: scheme(), cookie });
  const { responseTimeoutMs } = limits;
  try {
    return await sendRequest(lease.stream, { request, ...options, headers, responseTimeoutMs });
  } catch (error) {
    lease.release(false);
    throw error;
  }
}

async function finish(
  context: ProxyContext,
  lease: StreamLease,
  upstream: DeviceResponse,
  {
    request,
    response,
    keepAlive,
  }: { request: IncomingMessage; response: ServerResponse; keepAlive: boolean },
): Promise<void> {
  let isReusable = false;
  try {
    const { cookie, limits } = context;
    const { stallTimeoutMs } = limits;
    const browser = { request, response, cookie, sendsHsts: context.sendsHsts(), stallTimeoutMs };
    const isComplete = await forwardResponse(upstream, browser);
    isReusable = keepAlive && isComplete;
  } finally {
    lease.release(isReusable);
  }
}

function onceClientCloses({ socket }: IncomingMessage, response: ServerResponse, callback: () => void): void {
  if (response.closed || socket.destroyed) return callback();
  // Writing to a client that has just disconnected is no failure.
  response.on('error', () => undefined);
  const onClose = (): void => void (response.writableFinished || callback());
  response.once('close', onClose);
  // A pipelined response that waits behind another has no socket yet and gets no 'close' event from it.
  if (response.socket === null) socket.once('close', onClose);
}

/** The response of a refused upgrade; the connection is closed after it. */
function responseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  socket.on('error', () => socket.destroy());
  const onFinish = (): void => {
    response.detachSocket(socket);
    socket.destroySoon();
  };
  response.once('finish', onFinish);
  response.assignSocket(socket);
  return response;
}

function respondWithError(
  { parts, cookie }: ProxyContext,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  port: number | undefined,
): void {
  if (!(error instanceof ProxyFailure))
    parts.log.error({ err: error }, 'a proxied request failed unexpectedly');
  if (response.headersSent || response.destroyed) return void response.destroy();
  const failure = error instanceof ProxyFailure ? error : new ProxyFailure('notReady');
  const { console } = parts.origins();
  const fontUrl = parts.fontPath && console + parts.fontPath;
  sendFailure(request, response, failure, {
    consoleOrigin: console,
    clearCookie: cookie.clear(),
    port,
    fontUrl,
  });
}
