import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type Actor, type DomainEvent, type Id, ids } from '@corral/contract';
import { createExecutor, type StoppableExecutor } from '../src/calls/executor.ts';
import type { Origins } from '../src/calls/handler.ts';
import { UntakenAnswers } from '../src/calls/turns.ts';
import { type Config, loadConfig } from '../src/config/config.ts';
import { instanceSettings } from '../src/config/instance-settings.ts';
import type { StoreLimits } from '../src/domains/assets/storage/s3/store-limits.ts';
import type { Storages } from '../src/domains/assets/storage/storages.ts';
import { handlers } from '../src/domains/handlers.ts';
import { createHttpServer, type HttpServer, type HttpServerParts } from '../src/entry/http/http-server.ts';
import type { ConnectionLimits } from '../src/entry/http/limit-connections.ts';
import type { LiveIntervals } from '../src/entry/http/live/live-view.ts';
import { createMetrics } from '../src/entry/http/metrics.ts';
import type { TransferLimits } from '../src/entry/transfers/limits.ts';
import { createTransfers, type Transfers } from '../src/entry/transfers/transfers.ts';
import { createInProcessBus, type EventBus } from '../src/platform/events/bus.ts';
import { createOutbox } from '../src/platform/events/outbox.ts';
import { createLog, type Log } from '../src/platform/log/log.ts';
import { connectionLimits } from '../src/wiring/connection-limits.ts';
import { followStores } from '../src/wiring/follow-stores.ts';
import { openSettings } from '../src/wiring/instance-values.ts';
import { originsOf } from '../src/wiring/origins.ts';
import { freshDatabase, type FreshDatabase, ownDatabase } from './fresh-database.ts';
import { storagesOf } from './test-storages.ts';
import { testVault } from './test-vault.ts';

/** An answer with its body in full. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text or bytes as they are; anything else as JSON. */
  readonly body?: unknown;
}

/** A real HTTP server with a real executor on its own database. */
export interface HttpHub extends AsyncDisposable {
  readonly http: HttpServer;
  readonly executor: StoppableExecutor;
  readonly bus: EventBus;
  readonly transfers: Transfers;
  readonly storages: Storages;
  readonly database: FreshDatabase;
  readonly url: string;
  readonly origins: () => Origins;
  /** This hub's own folder, with the downloads `corral-agent.mjs` and `corral.mjs`. */
  readonly folder: string;
  readonly log: Log;
  /** Everything logged, at all levels. */
  readonly logged: () => string;
  /** Advances the hub's clock. */
  advance(seconds: number): void;
  setReady(isReady: boolean | (() => Promise<boolean>)): void;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Posts JSON as the console's own page does. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  invoke(name: string, input: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Signs in and returns the Cookie header. */
  signIn(email: string, password: string): Promise<string>;
  user(
    email: string,
    more?: { isAdmin?: boolean; password?: string },
  ): Promise<Extract<Actor, { actor: 'User' }>>;
}

/** The hub's own actor. */
export const system = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;

/** Options of the hub under test. */
export interface HttpHubOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly liveIntervals?: LiveIntervals;
  readonly scripts?: Config['scripts'];
  readonly hasConsole?: boolean;
  readonly transferLimits?: Partial<TransferLimits>;
  /** The cluster node that it is; none by default. */
  readonly nodeId?: () => Id<'clusterNode'> | undefined;
  /** By default those of all tests of a worker. */
  readonly storages?: Storages;
  /** Overrides of the limits of object stores. */
  readonly storeLimits?: Partial<StoreLimits>;
  readonly connectionLimits?: Partial<ConnectionLimits>;
  /** The monotonic clock of the server in milliseconds; by default that of the process, ahead as far as the test advanced it. */
  readonly nowMs?: () => number;
  /** The database that it shares with another hub, which empties it; by default its own. */
  readonly database?: FreshDatabase;
  /** By default one within this process. */
  readonly bus?: EventBus;
  readonly readyNotice?: () => string | undefined;
  readonly providerSignIn?: HttpServerParts['providerSignIn'];
  /** For a test that alters tables. */
  readonly hasOwnDatabase?: boolean;
}

/** Starts the server on a free port of loopback. */
export async function httpHub(options: HttpHubOptions = {}): Promise<HttpHub> {
  const database = options.database ?? (await (options.hasOwnDatabase ? ownDatabase() : freshDatabase()));
  const folder = await mkdtemp(join(tmpdir(), 'corral-http-'));
  const consoleDir = await makeConsole(folder, options.hasConsole ?? true);
  const config = configOf(options);
  const { log, logged } = captureLog();
  const bus = options.bus ?? createInProcessBus((error) => log.error({ err: error }, 'a listener failed'));
  const outbox = createOutbox({ db: database.db, bus, log });
  const metrics = createMetrics();
  let aheadMs = 0;
  const now = () => new Date(performance.timeOrigin + performance.now() + aheadMs);
  let listeningPort = config.port;
  const storages =
    options.storages ??
    storagesOf(database.db, {
      storeLimits: options.storeLimits ?? {},
      redirectHosts: config.s3RedirectHosts,
    });
  followStores(bus, storages);
  const definitions = instanceSettings(config);
  const settings = await openSettings({ db: database.db, vault: testVault, definitions, log });
  settings.follow(bus);
  const executor = createExecutor({
    handlers,
    db: database.db,
    openingDb: database.db,
    now,
    vault: testVault,
    storages,
    nodeId: options.nodeId ?? (() => undefined),
    registration: () => ({
      isOpen: settings.current().isRegistrationOpen,
      concealsExisting: config.registrationConcealExisting,
      isMailConfigured: settings.current().isMailConfigured,
    }),
    settings: definitions,
    afterCommit: (emittedEvents) => outbox.afterCommit(emittedEvents),
    log,
    origins: () => originsOf(config, listeningPort),
    measure: metrics.measureAction,
  });
  let isReady: boolean | (() => Promise<boolean>) = true;
  const nowMs = options.nowMs ?? (() => performance.now() + aheadMs);
  const untakenAnswers = new UntakenAnswers();
  const http = await createHttpServer({
    config,
    settings: () => settings.current(),
    executor,
    untakenAnswers,
    bus,
    log,
    metrics,
    consoleDir,
    agentFile: join(folder, 'corral-agent.mjs'),
    cliFile: join(folder, 'corral.mjs'),
    version: '1.2.3',
    isReady: () => (typeof isReady === 'function' ? isReady() : isReady),
    nowMs,
    connectionLimits: { ...connectionLimits(config), ...options.connectionLimits },
    ...(options.providerSignIn === undefined ? {} : { providerSignIn: options.providerSignIn }),
    ...(options.readyNotice === undefined ? {} : { readyNotice: options.readyNotice }),
    ...(options.liveIntervals === undefined ? {} : { liveIntervals: options.liveIntervals }),
  });
  const transfers = createTransfers({
    executor,
    storages,
    addressOf: (request) => http.addressOf(request),
    nowMs,
    now,
    log,
    ...(options.transferLimits === undefined ? {} : { limits: options.transferLimits }),
  });
  http.serveTransfers(transfers);
  const { port } = await http.listen();
  listeningPort = port;
  const url = `http://127.0.0.1:${port}`;
  const call: HttpHub['call'] = (path, callOptions) => send(url, path, callOptions);
  const post: HttpHub['post'] = (path, body, headers) =>
    call(path, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin', ...headers } });
  return {
    http,
    executor,
    bus,
    transfers,
    storages,
    database,
    url,
    origins: () => originsOf(config, port),
    folder,
    log,
    logged,
    advance: (seconds) => void (aheadMs += seconds * 1000),
    setReady: (value) => void (isReady = value),
    call,
    post,
    invoke: (name, input, headers) => post(`/api/v1/actions/invoke/${name}`, input, headers),
    async signIn(email, password) {
      const { headers, text } = await post('/api/private/login', { email, password });
      const [cookie] = headers['set-cookie'] ?? [];
      if (cookie === undefined) throw new Error(`${email} could not sign in: ${text}`);
      return cookie.split(';')[0] ?? '';
    },
    async user(email, more = {}) {
      const created = await executor.invoke(system, 'users_CreateUser', { email, ...more });
      if (created.result !== 'Created') throw new Error(`${email} exists already`);
      return { actor: 'User', kind: 'User', userId: created.userId };
    },
    async [Symbol.asyncDispose]() {
      transfers.stop();
      await settings.stop();
      await http.close();
      await executor.stop();
      await outbox.drain();
      if (options.database === undefined) await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configOf({ env = {}, scripts }: HttpHubOptions): Config {
  const config = loadConfig({ argv: ['--port', '0'], env, hostname: 'testing', isTerminal: false });
  return scripts === undefined ? config : { ...config, scripts };
}

function captureLog() {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream;
  return { log: createLog({ level: 'debug', format: 'json', destination }), logged: () => lines.join('') };
}

async function makeConsole(folder: string, isBuilt: boolean): Promise<string> {
  const dist = join(folder, 'dist');
  if (!isBuilt) return dist;
  await mkdir(join(dist, 'assets'), { recursive: true });
  await mkdir(join(dist, '.source-maps'));
  await writeFile(join(dist, '.source-maps/core-DkDxTh6C.js.map'), '{}');
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>Corral</title>');
  await writeFile(join(dist, 'theme-init.js'), '// theme');
  await writeFile(join(dist, 'assets/index-C8HcKwNU.js'), `export const text = '${'corral '.repeat(1000)}';`);
  await writeFile(join(dist, 'assets/core-DkDxTh6C.js'), '// as it is');
  await writeFile(join(dist, 'assets/core-DkDxTh6C.js.br'), brotliCompressSync('// made small by the build'));
  await writeFile(
    join(dist, 'screens.json'),
    JSON.stringify({ 'sign-in': ['/assets/sign-in-1.js'], 'signed-in': ['/assets/signed-in-2.js'] }),
  );
  return dist;
}

function send(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: CallOptions = {},
): Promise<Answer> {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const payload = body === undefined || isRaw ? (body as string | Buffer | undefined) : JSON.stringify(body);
  const length = payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) };
  const type = payload === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const request = plainRequest(
      origin + path,
      { method, headers: { ...type, ...length, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode: status = 0, headers: received } = response;
          resolve({
            status,
            headers: received,
            text,
            get json() {
              return JSON.parse(text);
            },
          });
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
}

/** A session cookie whose token belongs to no session. */
export const staleCookie = `__Host-session=${ids.sessionToken.of('z'.repeat(66))}`;

/** An event as the bus carries it. */
export function domainEvent(name: DomainEvent['name'], data: DomainEvent['data']): DomainEvent {
  return { name, data, actor: system.actor, at: '2026-11-20T12:00:00Z' };
}
