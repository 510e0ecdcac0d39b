import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from '../config/addresses.ts';
import { createAccessChecks } from './access.ts';
import { askDevice, mayGoOn, type DeviceAnswer } from './ask-device.ts';
import { proxyCookie } from './cookie.ts';
import { enter } from './enter.ts';
import { openStream, takeRested, type Errand } from './errand.ts';
import { sendFailure } from './failure-page.ts';
import { isFromOwnPages, isOwnOrigin } from './fetch-site.ts';
import { headersForDevice } from './headers.ts';
import { defaultLimits } from './limits.ts';
import { passBack } from './pass-back.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { RestingStreams } from './resting-streams.ts';
import { readTarget } from './request-target.ts';
import { admit, readmit, type Admitted, type ProxyParts, type Site } from './site.ts';
import { Turns } from './turns.ts';
import { requestBodyOf } from './request-body.ts';
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
    resting: new RestingStreams(parts.nowMs),
    live: new Set(),
    ...siteOf(parts),
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
      for (const cuttable of site.live) cuttable.cut(new ProxyFailure('notReady'));
    },
  };
}

/** How browsers reach the pages is known once the hub listens, and stays so. */
function siteOf({ origins }: ProxyParts): Pick<Site, 'scheme' | 'isStrict'> {
  let scheme: 'http' | 'https' | undefined;
  let isStrict: boolean | undefined;
  return {
    scheme: () => (scheme ??= origins().proxyOf('x').startsWith('https:') ? 'https' : 'http'),
    isStrict() {
      isStrict ??= this.scheme() === 'https' && !isLoopback(origins().proxyDomain);
      return isStrict;
    },
  };
}

async function serve(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let port: number | undefined;
  try {
    const { path, entryToken } = readTarget(request);
    if (entryToken !== undefined) return await enter(site, request, response, { token: entryToken, path });
    const admitted = readmit(site, request) ?? (await admit(site, request));
    if (!isFromOwnPages(request)) throw new ProxyFailure('foreign');
    ({ port } = admitted.access);
    const isKept = onlyReads(request);
    const { errand, answer } = await askPlainly(site, admitted, request, response, { path, isKept });
    await finish(site, errand, answer, { request, response, isKept });
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
    const errand = await openStream(site, admitted, whenClientGoes);
    const answer = await ask(site, errand, request, { path, isUpgrade: true, isKept: false });
    if (answer.head.status !== 101)
      return await finish(site, errand, answer, { request, response, isKept: false });
    joinWebSocket({ request, socket, head, errand, cookie: site.cookie }, answer);
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
  { path, isKept }: { readonly path: string; readonly isKept: boolean },
): Promise<{ errand: Errand; answer: DeviceAnswer }> {
  const whenClientGoes = (then: () => void): void => whenGone(request, response, then);
  const how = { path, isUpgrade: false, isKept };
  const rested = isKept ? takeRested(site, admitted, whenClientGoes) : undefined;
  const errand = rested ?? (await openStream(site, admitted, whenClientGoes));
  const { isReused, stream } = errand;
  const { heardBytes } = stream;
  try {
    return { errand, answer: await ask(site, errand, request, how) };
  } catch (error) {
    const isStale = isReused && stream.heardBytes === heardBytes && hasHungUp(error);
    if (!isStale || response.closed) throw error;
    // It may have been cut because the access is over.
    const fresh = await openStream(site, await admit(site, request), whenClientGoes);
    return { errand: fresh, answer: await ask(site, fresh, request, how) };
  }
}

/** Whether the request can be asked twice, and nothing follows its head. */
function onlyReads(request: IncomingMessage): boolean {
  const { method } = request;
  return (method === 'GET' || method === 'HEAD') && requestBodyOf(request).kind === 'none';
}

const hasHungUp = (error: unknown): boolean =>
  error instanceof ProxyFailure && (error.failure === 'refused' || error.failure === 'broken');

async function ask(
  { cookie, limits, scheme }: Site,
  errand: Errand,
  request: IncomingMessage,
  how: { path: string; isUpgrade: boolean; isKept: boolean },
): Promise<DeviceAnswer> {
  const host = request.headers.host ?? '';
  const headers = headersForDevice(request, { host, scheme: scheme(), cookie });
  const { answerWithinMs } = limits;
  try {
    return await askDevice(errand.stream, { request, ...how, headers, answerWithinMs });
  } catch (error) {
    errand.release(false);
    throw error;
  }
}

async function finish(
  site: Site,
  errand: Errand,
  answer: DeviceAnswer,
  { request, response, isKept }: { request: IncomingMessage; response: ServerResponse; isKept: boolean },
): Promise<void> {
  let mayServeOthers = false;
  try {
    const { cookie, limits } = site;
    const back = { request, response, cookie, isStrict: site.isStrict(), stalledForMs: limits.stalledForMs };
    const isWhole = await passBack(answer, back);
    mayServeOthers = isKept && isWhole && mayGoOn(answer);
  } finally {
    errand.release(mayServeOthers);
  }
}

function whenGone({ socket }: IncomingMessage, response: ServerResponse, then: () => void): void {
  if (response.closed || socket.destroyed) return then();
  // What is written to a client that has just gone is no failure.
  response.on('error', () => undefined);
  const onClose = (): void => void (response.writableFinished || then());
  response.once('close', onClose);
  // A response that waits behind another of the same connection is told nothing.
  if (response.socket === null) socket.once('close', onClose);
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
