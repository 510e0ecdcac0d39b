import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastifyCompress } from '@fastify/compress';
import { fastify, type FastifyInstance } from 'fastify';
import type { Executor } from '../../calls/executor.ts';
import type { UntakenAnswers } from '../../calls/turns.ts';
import type { Config } from '../../config/config.ts';
import { countRefusedCalls, type RefusedCalls } from '../../limits/bucket.ts';
import type { EventBus } from '../../platform/events/bus.ts';
import type { Log } from '../../platform/log/log.ts';
import { addConsole } from './console-files.ts';
import { addDeviceFiles, type RunOnDevice } from './device-files.ts';
import { addDocumentRoutes, addProgramDownload } from './documents.ts';
import { type DeviceHosts, routeHosts, routeHostUpgrades, siteRule, untrustedHeaders } from './hosts.ts';
import {
  createSessions,
  type HttpContext,
  identify,
  type Identity,
  knownUserOf,
  cookiesOf,
} from './identity.ts';
import { addInvokeRoute } from './invoke.ts';
import { type ConnectionCounts, type ConnectionLimits, limitConnections } from './limit-connections.ts';
import { addLiveView, type LiveIntervals, type LiveView } from './live/live-view.ts';
import { addHealthRoutes, type Metrics } from './metrics.ts';
import {
  createServer,
  limitBodyTime,
  limitPipelining,
  maxHeaderBytes,
  mayUpgrade,
  refuseBadAddress,
  refuseMalformed,
  routeUpgrades,
  stopListening,
  type UpgradeHandler,
} from './node-server.ts';
import { addPairScript } from './pair-script.ts';
import { clientAddress, type PacedRequests, paceRequests, type PaceRules } from './pace-requests.ts';
import { headerSets, sendFailure } from './responses.ts';
import type { ProviderSignIn } from '../../auth/oidc/provider-sign-in.ts';
import { addProviderSignIn } from './provider-sign-in.ts';
import { addRecordings } from './recordings.ts';
import { addSignInRoutes } from './sign-in.ts';
import { addUnsubscription } from './unsubscribe.ts';
import { addStepUpRoute } from './step-up.ts';

/**
 * How many clients may wait to be accepted, as far as the system allows. When the hub starts, its whole fleet connects at once: a
 * client that finds no place here gets no answer and retries only after its own timeout of 20 s.
 */
const backlog = 16_384;

/** Dependencies of the HTTP server. */
export interface HttpServerParts {
  readonly config: Config;
  readonly settings: HttpContext['settings'];
  readonly executor: Executor;
  readonly bus: EventBus;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The folder of the built console. */
  readonly consoleDir: string;
  /** The agent as one file, for devices to download. */
  readonly agentFile: string;
  /** The command line as one file, for people to download. */
  readonly cliFile: string;
  readonly version: string;
  /** Whether the database answers and this node holds its lease. */
  readonly isReady: () => boolean | Promise<boolean>;
  /** A sentence that `/readyz` adds while the hub is ready. */
  readonly readyNotice?: () => string | undefined;
  /** The id in the answer of `/readyz` that tells this instance from others. */
  readonly publicInstanceId?: string;
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number;
  /** The refused calls of users, shared with links; by default of its own. */
  readonly userRefusals?: RefusedCalls;
  /** Bounds the answers that are made but not yet sent, shared with links. */
  readonly untakenAnswers: UntakenAnswers;
  readonly liveIntervals?: LiveIntervals;
  readonly connectionLimits: ConnectionLimits;
  readonly providerSignIn?: (publicOrigin: () => string) => ProviderSignIn;
}

/** The HTTP server: actions, sign-in, the console, its live view, health and metrics. */
export interface HttpServer {
  readonly server: Server;
  /** Serves upgrade requests at a path, and below it where it ends with a slash; those at other paths are answered 404. */
  onUpgrade(path: string, handler: UpgradeHandler): void;
  /** Serves the hosts of devices' web pages; without this they are refused like any unknown host. */
  serveDeviceHosts(hosts: DeviceHosts): void;
  /** Serves the paths below `/r/`: the bytes of assets. Without this they are unknown paths. */
  serveTransfers(transfers: TransferPaths): void;
  /** Runs the commands that fetch and put files of devices; without this they are not there. */
  serveDeviceFiles(run: RunOnDevice): void;
  /** The client's address, as rate limits use it. */
  addressOf(request: IncomingMessage): string | undefined;
  /** Authenticates a request, as those of actions are. Throws an `ActionError`. */
  identify(request: IncomingMessage): Promise<Identity>;
  /** Paces upgrades without a session or token that was found valid, as requests are. */
  paceUpgrades(handler: UpgradeHandler): UpgradeHandler;
  /** Starts listening. Rejected with Node's error (`EADDRINUSE`, `EACCES`, …). */
  listen(): Promise<ListeningAt>;
  /** From now on every answer is the last one of its connection, so that proxies open the next one to another hub. */
  endConnections(): void;
  /** Accepts no connection any longer, ends the live views, waits up to five seconds for running requests, or less to end within `withinMs`, then closes all connections. */
  close(withinMs?: number): Promise<void>;
}

/** Serves the bytes of assets. */
export interface TransferPaths {
  /** Answers a request; resolves when the answer is complete. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Whether the hub signed the URL of a request, and it has not expired; others are paced. */
  isSigned(request: IncomingMessage): boolean;
}

/** Where the server listens, and the origin that browsers use. */
export interface ListeningAt {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
}

const closeWithinMs = 5_000;
const unreadableNotice =
  'A trusted proxy sent X-Forwarded-For without an address of the client, so limits count all its clients as one: let it write IP addresses, and start the hub again.';
const apiPaths = /^\/(?:api\/|healthz|readyz|metrics)/;

/** Creates the HTTP server; it does not listen yet. */
export async function createHttpServer(parts: HttpServerParts): Promise<HttpServer> {
  const { config, executor, bus } = parts;
  let deviceHosts: DeviceHosts | undefined;
  let transfers: TransferPaths | undefined;
  const [leaving, siteOf] = [{ isLeaving: false }, siteRule(config)];
  const { addressOf, readyNotice } = addressReader(parts);
  const sessions = createSessions(executor, bus, parts.nowMs ?? performance.now.bind(performance));
  const cookies = cookiesOf(config.isInsecure);
  const paced = pacer(parts, addressOf, { sessions, ...cookies });
  const untrusted = untrustedHeaders(parts, paced);
  const serve = (own: RequestListener) =>
    withTransfers(parts, () => transfers, paced, paced.pace(withBodyTimeLimit(own)));
  const route = (own: RequestListener) => routeHosts(siteOf, () => deviceHosts, serve(own), paced);
  const server = createFastify(config, mayUpgrade(siteOf), (own) =>
    limitPipelining(endingConnections(leaving, untrusted.refuse(route(own)))),
  );
  const connections = limitConnections(server.server, parts.connectionLimits);
  addConnectionGauges(parts.metrics, connections);
  let publicUrl = config.publicUrl;
  const publicOrigin = (): string => publicUrl;
  const context: HttpContext = { ...parts, ...cookies, ...paced, sessions, addressOf, publicOrigin };
  addHooks(server, parts);
  const doors = ownDoors(server, context, paced);
  const live = await addRoutes(server, context, { ...parts, readyNotice });
  await server.ready();
  return {
    server: server.server,
    onUpgrade: routeUpgrades(server.server, (own) =>
      routeHostUpgrades(siteOf, () => deviceHosts, own, paced),
    ),
    serveDeviceHosts: (hosts) => void (deviceHosts = untrusted.refuseUpgrades(hosts)),
    serveTransfers: (paths) => void (transfers = paths),
    addressOf,
    ...doors,
    async listen() {
      await server.listen({ host: config.host, port: config.port, backlog });
      const { port } = server.server.address() as AddressInfo;
      publicUrl = config.publicUrl.replace(/:0$/, `:${port}`);
      return { host: config.host, port, publicUrl };
    },
    endConnections: () => void (leaving.isLeaving = true),
    close: (withinMs = Infinity) =>
      closeWithin(server, withinMs, async () => {
        leaving.isLeaving = true;
        await stopListening(server.server, connections);
        sessions.close();
        live.close();
      }),
  };
}

function ownDoors(
  server: FastifyInstance,
  context: HttpContext,
  { paceUpgrades }: PacedRequests,
): Pick<HttpServer, 'identify' | 'paceUpgrades' | 'serveDeviceFiles'> {
  return {
    serveDeviceFiles: addDeviceFiles(server, context),
    identify: (request) => identify(context, request),
    paceUpgrades: (handler) =>
      paceUpgrades(handler, (request) => knownUserOf(context, request) !== undefined),
  };
}

function addConnectionGauges({ addGauge }: Metrics, connections: ConnectionCounts): void {
  addGauge('corral_connections', () => connections.open);
  addGauge('corral_refused_connections', () => connections.refused);
}

/** Delays anonymous requests, and requests of users whose calls are refused. */
function pacer(
  {
    config,
    connectionLimits: { isProxy },
    metrics,
    nowMs = performance.now.bind(performance),
    userRefusals = countRefusedCalls(nowMs).users,
  }: HttpServerParts,
  addressOf: PaceRules['addressOf'],
  credentials: Pick<HttpContext, 'sessions' | 'cookie'>,
): PacedRequests {
  const userOf: PaceRules['userOf'] = (request) => knownUserOf(credentials, request);
  const perSecond = config.anonymousRequestsPerSecond;
  const paced = paceRequests({ perSecond, addressOf, userOf, isProxy, userRefusals, nowMs });
  metrics.addGauge('corral_paced_requests', () => paced.count);
  return paced;
}

/** The client's address, and the notice of the hub with the one about texts of proxies that are none. */
function addressReader({ config, log, readyNotice }: HttpServerParts): {
  addressOf: HttpServer['addressOf'];
  readyNotice: () => string | undefined;
} {
  let isUnreadable = false;
  const addressFrom = clientAddress(config, (text) => {
    if (!isUnreadable) log.warn({ address: text.slice(0, 100) }, unreadableNotice);
    isUnreadable = true;
  });
  return {
    addressOf: ({ socket, headers }) =>
      addressFrom(socket.remoteAddress, headers['x-forwarded-for'] as string | undefined),
    readyNotice: () =>
      [readyNotice?.(), isUnreadable ? unreadableNotice : undefined]
        .filter((notice) => notice !== undefined)
        .join('\n') || undefined,
  };
}

/** Transfers have limits, headers and answers of their own; nothing between the socket and them may collect a body. */
function withTransfers(
  { config, version, metrics }: HttpServerParts,
  transfers: () => TransferPaths | undefined,
  { paceFiles }: PacedRequests,
  own: RequestListener,
): RequestListener {
  const { everywhere } = headerSets(config, version);
  const serve: RequestListener = (request, response) => {
    for (const [name, value] of Object.entries(everywhere)) response.setHeader(name, value);
    const count = (): void => metrics.countRequest(request.method ?? '', '/r/*', response.statusCode);
    void transfers()?.handle(request, response).finally(count);
  };
  const paced = paceFiles(serve, (request) => transfers()?.isSigned(request) === true);
  return (request, response) => {
    const isTransfer = request.url?.startsWith('/r/') === true && transfers() !== undefined;
    return isTransfer ? paced(request, response) : own(request, response);
  };
}

const endingConnections =
  (state: { readonly isLeaving: boolean }, own: RequestListener): RequestListener =>
  (request, response) => {
    if (state.isLeaving) response.setHeader('connection', 'close');
    own(request, response);
  };

const withBodyTimeLimit =
  (own: RequestListener): RequestListener =>
  (request, response) => {
    limitBodyTime(request, response);
    own(request, response);
  };

function createFastify(
  config: Config,
  isUpgrade: (request: IncomingMessage) => boolean,
  byHost: (own: RequestListener) => RequestListener,
): FastifyInstance {
  return fastify({
    serverFactory: (listener) => createServer(config.tls, byHost(listener), isUpgrade),
    logger: false,
    trustProxy: false,
    requestIdHeader: false,
    routerOptions: { maxParamLength: maxHeaderBytes },
    genReqId: requestIds(),
    forceCloseConnections: 'idle',
    // What still arrives is served: its answer would have no Retry-After, and the executor stops later.
    return503OnClosing: false,
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      refuseBadAddress(request.raw, reply.raw);
    },
  }) as unknown as FastifyInstance;
}

/** Request ids of equal length: a random prefix per process, then a counter. */
function requestIds(): () => string {
  const run = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${run}-${(count += 1).toString(36).padStart(8, '0')}`;
}

function addHooks(server: FastifyInstance, { config, version, log, metrics }: HttpServerParts): void {
  const headers = headerSets(config, version);
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(apiPaths.test(request.url) ? headers.api : headers.pages);
    reply.header('x-request-id', request.id);
    done();
  });
  server.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    metrics.countRequest(method, routeOptions.url ?? 'none', reply.statusCode);
    done();
  });
  server.setErrorHandler((error, request, reply) => sendFailure(log, error, request, reply));
  // Routes read their bodies themselves, after authentication.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
}

async function addRoutes(
  server: FastifyInstance,
  context: HttpContext,
  parts: HttpServerParts,
): Promise<LiveView> {
  const live = addLiveView(server, context, parts.bus, parts.liveIntervals);
  await server.register(async (scope) => {
    // A page of 500 devices has 160 kB, which are three seconds on a line of 400 kbit/s.
    await scope.register(fastifyCompress, {
      encodings: ['gzip'],
      threshold: 4096,
      zlibOptions: { level: 1 },
      globalDecompression: false,
    });
    addInvokeRoute(scope, context, live.cursor);
  });
  const providerSignIn = parts.providerSignIn?.(context.publicOrigin);
  addSignInRoutes(server, context, providerSignIn);
  addUnsubscription(server, context);
  addRecordings(server, context);
  addStepUpRoute(server, context);
  if (providerSignIn) addProviderSignIn(server, context, providerSignIn);
  addDocumentRoutes(server, context);
  addPairScript(server, context);
  addHealthRoutes(server, { ...parts, metricsFrom: parts.config.metricsFrom });
  parts.metrics.addGauge('corral_live_streams', live.streamCount);
  addProgramDownload(server, { fileName: 'corral-agent.mjs', name: 'The agent', path: parts.agentFile });
  addProgramDownload(server, { fileName: 'corral.mjs', name: 'The command line', path: parts.cliFile });
  await addConsole(server, parts.consoleDir, context.cookie, parts.log);
  return live;
}

/** Ends what `begin` ends, and then all connections: those with running requests after five seconds, or less to end within `withinMs`. */
async function closeWithin(
  server: FastifyInstance,
  withinMs: number,
  begin: () => Promise<void>,
): Promise<void> {
  const endsAtMs = performance.now() + withinMs;
  await begin();
  const waitMs = Math.min(closeWithinMs, Math.max(0, endsAtMs - performance.now()));
  const timer = setTimeout(() => server.server.closeAllConnections(), waitMs);
  try {
    await server.close();
  } finally {
    clearTimeout(timer);
  }
}
