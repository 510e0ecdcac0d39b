import { setTimeout as delay } from 'node:timers/promises';
import { newRandomPassword } from './auth/random-password.ts';
import { missingKeyMessage, openVault } from './platform/vault/open-vault.ts';
import { ensureFirstAdministrator, type FirstAdministrator } from './wiring/first-administrator.ts';
import { fencedExecutor, type FencedExecutor } from './entry/peers/fenced-executor.ts';
import { joinCluster, type Membership, type MembershipParts } from './entry/peers/membership.ts';
import type { PeerNetwork } from './entry/peers/open-peers.ts';
import { addGateway } from './wiring/add-gateway.ts';
import { addJobs } from './wiring/add-jobs.ts';
import { addPeers } from './wiring/add-peers.ts';
import { addProxy } from './wiring/add-proxy.ts';
import { addSharedGauges } from './wiring/add-shared-gauges.ts';
import { servePeers } from './wiring/serve-peers.ts';
import type { Core } from './wiring/core.ts';
import { createHttp } from './wiring/create-http.ts';
import { addTerminals } from './wiring/add-terminals.ts';
import type { TerminalDoor } from './entry/terminal/door.ts';
import { EventLoopWatch } from './wiring/event-loop-watch.ts';
import { listen, mustHaveFreePort } from './wiring/listen.ts';
import { machineClocks } from './wiring/machine-clocks.ts';
import { openBus } from './wiring/open-bus.ts';
import { openDatabase, type HubDatabase } from './wiring/open-database.ts';
import { openStorages } from './wiring/open-storages.ts';
import { originsOf } from './wiring/origins.ts';
import { startDemo } from './wiring/start-demo.ts';
import { openCore } from './wiring/open-core.ts';
import { reencryptSecrets } from './wiring/reencrypt-secrets.ts';
import { startMail } from './wiring/start-mail.ts';
import { version } from './wiring/version.ts';
import type { Config } from './config/config.ts';
import { passkeySite } from './config/passkey-site.ts';
import { differingSettings, sharedSettings } from './config/shared-settings.ts';
import { startDatabaseClock } from './platform/db/database-clock.ts';
import { diskPercentOf } from './platform/files/disk-percent.ts';
import type { Gateway } from './entry/gateway/gateway.ts';
import type { HttpServer, ListeningAt } from './entry/http/http-server.ts';
import { liveNodes, missingVaultKeys, vaultKeysInUse } from './domains/instance/index.ts';
import { createMetrics, type Metrics } from './entry/http/metrics.ts';
import { passkeysElsewhere } from './domains/passkeys/index.ts';
import { rotateEventPartitions } from './domains/instance/jobs/upkeep.ts';
import type { Log } from './platform/log/log.ts';
import type { Proxy } from './entry/proxy/proxy.ts';

/** A hub that is ready. */
export interface RunningHub {
  /** Where browsers reach it. */
  readonly url: string;
  /** How much longer a stop may take now, because commands run on devices; 0 while none does. */
  readonly waitsForCommandsMs: number;
  /** Finishes what is in progress, ends all connections and stops the database. */
  stop(): Promise<void>;
}

/** How long a node of a cluster still answers when it stops, so that proxies end their connections to it and learn that it leaves. */
const handOverMs = 1_000;
/** Within this time after a stop began, all calls and requests have ended; the lease and the database have the rest of the 30 s. Commands that run on devices may take two minutes more. */
const serveAtMostMs = 25_000;
/** Requests have at least so long, however long commands took. */
const lastRequestsMs = 2_000;

/** Is told at once of the first administrator, whose password nobody learns later, even if the rest of the start fails. */
export type OnFirstAdministrator = (administrator: FirstAdministrator) => void;

/** Steps that undo what has started, run last to first. */
type Stops = (() => Promise<unknown>)[];

/**
 * Builds the whole hub, starts its parts in order, and resolves when it is ready. Rejects with an Error whose message is one sentence for
 * the operator, after it has stopped the parts that had started.
 */
export async function startHub(
  config: Config,
  log: Log,
  onFirstAdministrator: OnFirstAdministrator = () => {},
): Promise<RunningHub> {
  const stops: Stops = [];
  const stop = async (): Promise<void> => {
    for (const step of stops.splice(0).toReversed()) await step();
  };
  try {
    const { url, gateway } = await startParts(config, log, stops, onFirstAdministrator);
    return {
      url,
      stop,
      get waitsForCommandsMs() {
        return gateway.waitsForCommandsMs;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The parts of a node that others need before they have started. */
interface StartedNode {
  membership?: Membership;
  fenced?: FencedExecutor;
  gateway?: Gateway;
  at?: ListeningAt;
  isStopping?: boolean;
}

async function startParts(
  config: Config,
  log: Log,
  stops: Stops,
  onFirst: OnFirstAdministrator,
): Promise<{ readonly url: string; readonly gateway: Gateway }> {
  const metrics = createMetrics();
  const state = await openState(config, log, metrics, stops);
  const { database, now, storages, network, eventLoop } = state;
  const node: StartedNode = {};
  const origins = () => originsOf(config, node.at?.port ?? config.port);
  const nodeId = () => node.membership?.nodeId();
  const opened = await openCore({ ...state, config, log, nodeId, origins, measure: metrics.measureAction });
  const { core, settings, transport, closeOutgoing } = opened;
  stops.push(closeOutgoing);
  stops.push(() => settings.stop());
  stops.push(() => core.outbox.stop());
  stops.push(() => core.stopExecutor());
  const membership = await joinAs({ core, config, log, network }, hooksOf(node, state));
  node.membership = membership;
  stops.push(() => membership.stop());
  await prepare(core, database, { log, config });
  await addFirstAdministrator(core, config, onFirst);
  node.fenced = fencedExecutor(core.executor, () => membership.hasLease());
  const fencedCore = { ...core, executor: node.fenced };
  const mayServe = () => membership.hasLease() && node.isStopping !== true && !eventLoop.isOutOfRotation;
  metrics.addGauge('corral_ready', () => (mayServe() ? 1 : 0));
  const http = await createHttp({ ...state, config, settings, log, core: fencedCore, metrics, mayServe });
  const gateway = addGateway({ config, log, core: fencedCore, metrics, http, membership, network });
  node.gateway = gateway;
  stops.push(() => gateway.stop());
  const proxy = addProxy({ config, log, core: fencedCore, metrics, http, gateway, origins });
  servePeers(network, gateway, proxy);
  const terminals = addTerminals({ log, core: fencedCore, metrics, http, gateway, membership, network, now });
  const at = await listen(http, config);
  node.at = at;
  // These stop at the same time, so that neither a job nor a mail server keeps the hub from saying at once that it leaves.
  const serving: Stops = [() => stopServing(node, { http, gateway, proxy, terminals, network })];
  stops.push(() => Promise.all(serving.map((stop) => stop())));
  const mail = startMail(transport, log, core, at.publicUrl);
  serving.push(() => mail.stop());
  addSharedGauges(metrics, database.db);
  const jobs = await addJobs({ config, database, core: fencedCore, settings, log, now, metrics, storages });
  serving.push(() => jobs.stop());
  await core.outbox.start();
  if (config.demoDevices > 0) await addDemo(config, core, at, serving, log);
  return { url: at.publicUrl, gateway };
}

interface ServingParts {
  readonly http: HttpServer;
  readonly gateway: Gateway;
  readonly proxy: Proxy;
  readonly terminals: TerminalDoor;
  readonly network: PeerNetwork | undefined;
}

/** Says at once that the hub is not ready, and closes its connections. The listener closes last: clients that try to reconnect while the gateway drains get a Retry-After. */
async function stopServing(
  node: StartedNode,
  { http, gateway, proxy, terminals, network }: ServingParts,
): Promise<void> {
  const endsAtMs = performance.now() + serveAtMostMs;
  node.isStopping = true;
  http.endConnections();
  await Promise.all([
    terminals.stop(),
    gateway.stop(),
    network === undefined ? undefined : delay(handOverMs),
  ]);
  proxy.stop();
  await http.close(Math.max(endsAtMs - performance.now(), lastRequestsMs));
}

function hooksOf(node: StartedNode, { nats, database }: Awaited<ReturnType<typeof openState>>): NodeHooks {
  return {
    isBusConnected: () => nats?.isConnected,
    onNewNodeId: () => void node.gateway?.reregister(),
    onCutOff() {
      node.fenced?.refuseWaiting();
      database.breakConnections();
    },
  };
}

/** Opens what the hub keeps: its database, its secrets, and the bytes of assets; and the ways to other nodes. Watches the event loop from then on. */
async function openState(config: Config, log: Log, metrics: Metrics, stops: Stops) {
  // Found out before a database is created, which takes seconds.
  const database = await openDatabase(config, log, () => mustHaveFreePort(config));
  stops.push(() => database.stop());
  const clock = await startDatabaseClock({ db: database.db, log, ...machineClocks });
  stops.push(() => clock.stop());
  const vault = await openVault(config, () => vaultKeysInUse(database.db));
  const missing = await missingVaultKeys(database.db, vault);
  if (missing.length > 0) throw new Error(missingKeyMessage(missing));
  await reencryptSecrets(database.db, vault);
  const { storages, instanceStore } = await openStorages({ database, config, vault, log });
  stops.push(async () => instanceStore.stop());
  const { bus, nats, stop } = await openBus({ config, database, metrics, log, now: clock.now, vault });
  stops.push(stop);
  const network = await addPeers({ config, database, now: clock.now, vault, log, metrics });
  stops.push(async () => network?.stop());
  const eventLoop = new EventLoopWatch({ nowMs: () => performance.now(), log });
  eventLoop.start();
  stops.push(async () => eventLoop.stop());
  return { database, now: clock.now, vault, storages, instanceStore, bus, nats, network, eventLoop };
}

async function addDemo(config: Config, core: Core, at: ListeningAt, stops: Stops, log: Log): Promise<void> {
  const fleet = await startDemo(config, core, at, log);
  stops.push(() => fleet.stop());
}

async function addFirstAdministrator(
  core: Core,
  config: Config,
  onAdded: OnFirstAdministrator,
): Promise<void> {
  const added = await ensureFirstAdministrator({
    executor: core.executor,
    email: config.adminEmail,
    password: config.adminPassword,
    choosePassword: newRandomPassword,
  });
  if (added !== undefined) onAdded(added);
}

type NodeHooks = Pick<MembershipParts, 'isBusConnected' | 'onNewNodeId' | 'onCutOff'>;

interface JoinParts {
  readonly core: Core;
  readonly config: Config;
  readonly log: Log;
  readonly network: PeerNetwork | undefined;
}

function joinAs({ core, config, log, network }: JoinParts, hooks: NodeHooks): Promise<Membership> {
  return joinCluster({
    executor: core.executor,
    heartbeatExecutor: core.heartbeatExecutor,
    nodeName: config.nodeName,
    version,
    peer: network?.self,
    isAlone: config.databaseUrl === undefined,
    diskPercent: diskPercentOf(config.dataDir),
    nowMs: () => performance.now(),
    log,
    settings: sharedSettings(config),
    ...hooks,
  });
}

/** Says in the log whose passkeys do not work here and what this node has set otherwise than others, and makes room for the events of this month. */
async function prepare(
  { executor }: Core,
  { db }: HubDatabase,
  { log, config: { publicUrl, hostNames } }: { log: Log; config: Config },
): Promise<void> {
  const elsewhere = await passkeysElsewhere(db, passkeySite(publicUrl, hostNames)?.rpId);
  if (elsewhere !== undefined) log.warn({}, elsewhere);
  for (const difference of differingSettings(await liveNodes(db))) log.warn({}, difference);
  await rotateEventPartitions(executor);
}
