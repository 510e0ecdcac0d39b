import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { newRandomPassword } from './auth/random-password.ts';
import { ensureFirstAdministrator, type FirstAdministrator } from './cluster/first-administrator.ts';
import { fencedExecutor } from './cluster/fenced-executor.ts';
import { joinCluster, type Membership } from './cluster/membership.ts';
import { certificateHeaderTrust } from './config/certificate-header.ts';
import type { Config } from './config.ts';
import { createCore, type Core } from './core.ts';
import { openDatabase, type HubDatabase } from './database.ts';
import { seedDemo } from './demo/seed-demo.ts';
import { startFleet } from './demo/start-fleet.ts';
import { sendMails } from './events/listeners/send-mails.ts';
import { connectPath, createGateway, type Gateway } from './gateway/gateway.ts';
import { createHttpServer, type HttpServer, type ListeningAt } from './http/http-server.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { startJobs, type Jobs } from './jobs/start-jobs.ts';
import { rotateEventPartitions, upkeepJobs } from './jobs/upkeep.ts';
import { outboxFolder } from './mail/outbox-folder.ts';
import { smtpServer } from './mail/smtp-server.ts';
import type { Log } from './log.ts';
import { missingKeySentence, openVault } from './open-vault.ts';
import { originsOf } from './origins.ts';
import { addProxy } from './add-proxy.ts';
import { jobsSchema } from './db/jobs-schema.ts';
import { missingVaultKeys } from './store/instance-keys.ts';

/** The version of the product, as every answer and the console show it. */
export const version = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** A hub that is ready. */
export interface RunningHub {
  /** Where browsers reach it. */
  readonly url: string;
  /** The first administrator, where this start has created one. */
  readonly firstAdministrator: FirstAdministrator | undefined;
  /** Finishes what is under way, ends all connections and stops the database. */
  stop(): Promise<void>;
}

/** Steps that undo what has started, run last to first. */
type Stops = (() => Promise<unknown>)[];

const consoleDir = fileURLToPath(new URL('../../console/dist', import.meta.url));
const agentFile = fileURLToPath(new URL('../../agent/dist/corral-agent.mjs', import.meta.url));
const cliFile = fileURLToPath(new URL('../../cli/dist/corral.mjs', import.meta.url));

/**
 * Builds the whole hub, starts its parts in order, and answers when it is ready. Rejects with an Error whose message is one
 * sentence for the operator; what had started by then is stopped again.
 */
export async function startHub(config: Config, log: Log): Promise<RunningHub> {
  const stops: Stops = [];
  const stop = async (): Promise<void> => {
    for (const step of stops.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await startParts(config, log, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(config: Config, log: Log, stops: Stops): Promise<Omit<RunningHub, 'stop'>> {
  const database = await openDatabase(config, log);
  stops.push(() => database.stop());
  const vault = await openVault(config);
  const missing = await missingVaultKeys(database.db, vault);
  if (missing.length > 0) throw new Error(missingKeySentence(missing));
  const metrics = createMetrics();
  const node: { membership?: Membership; gateway?: Gateway; at?: ListeningAt; isStopping?: boolean } = {};
  const origins = () => originsOf(config, node.at?.port ?? config.port);
  const core = createCore({
    database,
    log,
    nodeId: () => node.membership?.nodeId(),
    registration: {
      isOpen: config.registration === 'open',
      concealsExisting: config.registrationConcealExisting,
    },
    origins,
    vault,
    measure: metrics.measureAction,
  });
  stops.push(() => core.outbox.drain());
  const membership = await joinAs(core, config, log, () => void node.gateway?.reregister());
  node.membership = membership;
  stops.push(() => membership.stop());
  await rotateEventPartitions(core.executor, config.eventRetentionMonths);
  const firstAdministrator = await ensureFirstAdministrator({
    executor: core.executor,
    email: config.adminEmail,
    password: config.adminPassword,
    choosePassword: newRandomPassword,
  });
  const doors = { ...core, executor: fencedExecutor(core.executor, () => membership.hasLease()) };
  const mayServe = () => membership.hasLease() && node.isStopping !== true;
  const http = await createHttp(config, log, doors, metrics, database, mayServe);
  const gateway = addGateway(config, log, doors, metrics, http, membership);
  node.gateway = gateway;
  stops.push(() => gateway.stop());
  const proxy = addProxy({ config, log, core: doors, metrics, http, gateway, origins });
  const at = await listen(http, config);
  node.at = at;
  // The listener stays until the links that came through it have ended: whoever knocks again meanwhile is told when to come back.
  stops.push(async () => {
    node.isStopping = true;
    await gateway.stop();
    proxy.stop();
    await http.close();
  });
  startCourier(config, log, core, at.publicUrl, stops);
  const jobs = await addJobs(database, doors, config, log, metrics);
  stops.push(() => jobs.stop());
  await core.outbox.recover();
  if (config.demoDevices > 0) await startDemo(config, core, at, stops);
  return { url: at.publicUrl, firstAdministrator };
}

function joinAs(core: Core, config: Config, log: Log, onNewNodeId: () => void): Promise<Membership> {
  return joinCluster({
    executor: core.executor,
    nodeName: config.nodeName,
    isAlone: config.databaseUrl === undefined,
    nowMs: () => performance.now(),
    log,
    onNewNodeId,
  });
}

/** The node's share of the upkeep, which it does while it holds its lease. */
async function addJobs(
  { jobsDb }: HubDatabase,
  { executor }: Core,
  { eventRetentionMonths }: Config,
  log: Log,
  metrics: Metrics,
): Promise<Jobs> {
  metrics.addGauge(
    'corral_job_database_connections',
    'Connections of the job queue to the database.',
    () => jobsDb.connections,
  );
  const jobs = upkeepJobs(executor, eventRetentionMonths);
  return startJobs({ db: jobsDb, schema: jobsSchema, jobs, log });
}

function createHttp(
  config: Config,
  log: Log,
  { executor, bus }: Core,
  metrics: Metrics,
  { db }: HubDatabase,
  mayServe: () => boolean,
): Promise<HttpServer> {
  const isReady = async (): Promise<boolean> => {
    await sql`select 1`.execute(db);
    return mayServe();
  };
  return createHttpServer({
    config,
    executor,
    bus,
    log,
    metrics,
    consoleDir,
    agentFile,
    cliFile,
    version,
    isReady,
  });
}

function addGateway(
  config: Config,
  log: Log,
  { executor, bus }: Core,
  metrics: Metrics,
  http: HttpServer,
  membership: Membership,
): Gateway {
  const gateway = createGateway({
    executor,
    bus,
    log,
    nodeId: () => membership.nodeId(),
    leaselessMs: () => membership.leaselessMs(),
    nowMs: () => performance.now(),
    certificateTrust: certificateHeaderTrust(config),
    addressOf: (request) => http.addressOf(request),
  });
  http.onUpgrade(connectPath, gateway.handleUpgrade);
  metrics.addGauge(
    'corral_connected_devices',
    'Devices that are connected to this node.',
    () => gateway.counts.devices,
  );
  metrics.addGauge(
    'corral_links',
    'Connections of devices and command lines to this node.',
    () => gateway.counts.links,
  );
  return gateway;
}

/** Its links lead to where browsers reach the hub, which is known only now that it listens. */
function startCourier(
  config: Config,
  log: Log,
  { executor, bus }: Core,
  publicUrl: string,
  stops: Stops,
): void {
  const { smtpUrl, mailFrom, dataDir } = config;
  const post =
    smtpUrl === undefined
      ? outboxFolder({ folder: join(dataDir, 'outbox'), from: mailFrom, log })
      : smtpServer({ url: smtpUrl, from: mailFrom });
  const courier = sendMails({ executor, bus, post, publicUrl, log });
  stops.push(() => courier.stop());
}

async function listen(http: HttpServer, { host, port }: Config): Promise<ListeningAt> {
  try {
    return await http.listen();
  } catch (error) {
    throw new Error(listenSentence(error, host, port), { cause: error });
  }
}

function listenSentence(error: unknown, host: string, port: number): string {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE')
    return `CORRAL_PORT: port ${port} on ${host} is taken by another program; choose another port.`;
  if (code === 'EACCES')
    return `CORRAL_PORT: this user may not listen on port ${port}; choose one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `CORRAL_HOST: this machine has no address ${host}.`;
  return `CORRAL_HOST and CORRAL_PORT: the hub cannot listen on ${host}, port ${port}: ${(error as Error).message}.`;
}

/** Adds the demo project and its fleet, which connects to this hub as any fleet would. */
async function startDemo(
  config: Config,
  { executor, bus }: Core,
  at: ListeningAt,
  stops: Stops,
): Promise<void> {
  const tokens = await seedDemo(executor, bus);
  const hubUrl = `${config.tls === undefined ? 'http' : 'https'}://${loopbackName(at.host)}:${at.port}`;
  const stateDir = join(config.dataDir, 'demo');
  const fleet = startFleet({
    hubUrl,
    tokens,
    devices: config.demoDevices,
    searchPath: config.searchPath,
    stateDir,
  });
  stops.push(() => fleet.stop());
}

/** How this machine reaches the address that the hub listens on. */
function loopbackName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
