import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from '../config/addresses.ts';
import { createAccessChecks } from './access.ts';
import { askDevice, type DeviceAnswer } from './ask-device.ts';
import type { ChannelDuplex } from './channel-duplex.ts';
import { proxyCookie } from './cookie.ts';
import { enter } from './enter.ts';
import { sendFailure } from './failure-page.ts';
import { isFromOwnPages, isOwnOrigin } from './fetch-site.ts';
import { headersForDevice } from './headers.ts';
import { defaultLimits } from './limits.ts';
import { passBack } from './pass-back.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { RestingStreams } from './resting-streams.ts';
import { readTarget } from './request-target.ts';
import { admit, openStream, type Admitted, type Errand, type ProxyParts, type Site } from './site.ts';
import { Turns } from './turns.ts';
import { joinWebSocket, mustOpenWebSocket } from './web-socket.ts';

/** The door to the web pages of devices: from a browser's request to a channel, and back. */
export interface Proxy {
  handle(request: IncomingMessage, response: ServerResponse): void;
  handleUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** How many streams to devices are open. */
  readonly streamCount: number;
  /** Cuts all streams. */
  stop(): void;
}

/** Builds the proxy; the HTTP server hands it what asks for the hosts of devices. */
export function createProxy(parts: ProxyParts): Proxy {
  const limits = { ...defaultLimits, ...parts.limits };
  const site: Site = {
    parts,
    limits,
    cookie: proxyCookie(parts.isPlain),
    checks: createAccessChecks(parts),
    turns: new Turns(limits),
    resting: new RestingStreams(),
    live: new Set(),
  };
  return {
    handle: (request, response) => void serve(site, request, response),
    handleUpgrade: (request, socket, head) => void upgrade(site, request, socket, head),
    get streamCount() {
      return site.live.size;
    },
    stop() {
      site.checks.close();
      site.resting.close();
      for (const cut of site.live) cut.abort(new ProxyFailure('notReady'));
    },
  };
}

async function serve(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let port: number | undefined;
  try {
    const { path, entryToken } = readTarget(request);
    if (entryToken !== undefined) return await enter(site, request, response, { token: entryToken, path });
    const admitted = await admit(site, request);
    if (!isFromOwnPages(request)) throw new ProxyFailure('foreign');
    ({ port } = admitted.access);
    const { errand, answer } = await askPlainly(site, admitted, request, response, path);
    await finish(site, errand, answer, request, response);
  } catch (error) {
    tell(site, request, response, error, port);
  }
}

async function upgrade(site: Site, request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
  const response = responseOn(request, socket);
  let port: number | undefined;
  try {
    mustOpenWebSocket(request);
    const { path, entryToken } = readTarget(request);
    if (entryToken !== undefined) throw new ProxyFailure('malformed');
    const admitted = await admit(site, request);
    if (!isOwnOrigin(request.headers)) throw new ProxyFailure('foreign');
    ({ port } = admitted.access);
    const whenClientGoes = (then: () => void): void =>
      socket.destroyed ? then() : void socket.once('close', then);
    const errand = await openStream(site, admitted, { whenClientGoes, kind: 'own' });
    const { stream } = errand;
    const answer = await ask(site, stream, request, { path, isUpgrade: true, isKept: false });
    if (answer.kind === 'response') return await finish(site, errand, answer, request, response);
    try {
      joinWebSocket({ request, socket, head, stream, cookie: site.cookie }, answer.message, answer.first);
    } catch (error) {
      stream.destroy();
      throw error;
    }
  } catch (error) {
    tell(site, request, response, error, port);
  }
}

/** A request that only reads may share its stream with others, and is asked anew when the device has just ended the stream. */
async function askPlainly(
  site: Site,
  admitted: Admitted,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<{ errand: Errand; answer: DeviceAnswer }> {
  const whenClientGoes = (then: () => void): void => whenGone(response, then);
  const isKept = onlyReads(request);
  const how = { path, isUpgrade: false, isKept };
  const errand = await openStream(site, admitted, { whenClientGoes, kind: isKept ? 'any' : 'own' });
  const heardBytes = errand.stream.receivedBytes;
  try {
    return { errand, answer: await ask(site, errand.stream, request, how) };
  } catch (error) {
    const { isReused, stream } = errand;
    const isStale = isReused && stream.receivedBytes === heardBytes && hasHungUp(error);
    if (!isStale || response.closed) throw error;
    // It may have been cut because the access is over.
    const fresh = await openStream(site, await admit(site, request), { whenClientGoes, kind: 'fresh' });
    return { errand: fresh, answer: await ask(site, fresh.stream, request, how) };
  }
}

/** Whether the request can be asked twice, and nothing follows its head. */
function onlyReads({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return (method === 'GET' || method === 'HEAD') && !hasBody;
}

const hasHungUp = (error: unknown): boolean =>
  error instanceof ProxyFailure && (error.failure === 'refused' || error.failure === 'broken');

function ask(
  { parts, cookie, limits }: Site,
  stream: ChannelDuplex,
  request: IncomingMessage,
  how: { path: string; isUpgrade: boolean; isKept: boolean },
): Promise<DeviceAnswer> {
  const headers = headersForDevice(request, {
    host: request.headers.host ?? '',
    scheme: schemeOf(parts),
    cookie,
  });
  const { answerWithinMs } = limits;
  return askDevice(stream, { request, ...how, headers, answerWithinMs, nowMs: parts.nowMs });
}

async function finish(
  { parts, cookie, limits }: Site,
  errand: Errand,
  { message }: DeviceAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const isStrict = schemeOf(parts) === 'https' && !isLoopback(parts.origins().proxyDomain);
    const { stalledForMs } = limits;
    await passBack(message, { request, response, cookie, isStrict, stalledForMs });
  } finally {
    errand.release();
  }
}

function schemeOf({ origins }: ProxyParts): 'http' | 'https' {
  return origins().proxyOf('x').startsWith('https:') ? 'https' : 'http';
}

function whenGone(response: ServerResponse, then: () => void): void {
  if (response.closed) return then();
  response.once('close', () => void (response.writableFinished || then()));
}

/** What answers an upgrade that does not come about: one response, and the end of the connection. */
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

function tell(
  { parts, cookie }: Site,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  port: number | undefined,
): void {
  if (!(error instanceof ProxyFailure)) parts.log.error({ err: error }, 'a request to a device failed');
  if (response.headersSent || response.destroyed) return void response.destroy();
  const failure = error instanceof ProxyFailure ? error : new ProxyFailure('notReady');
  const { console } = parts.origins();
  sendFailure(request, response, failure, { consoleOrigin: console, clearCookie: cookie.clear(), port });
}
