import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { channelReasons, type DomainEvent, goElsewhere, type Id, type Json } from '@corral/contract';
import { type Channel, ChannelClosure, ChannelRejection } from '@corral/multiplex';
import { UntakenAnswers } from '../../calls/turns.ts';
import { untrustedHeaderReports } from '../../calls/untrusted-header-reports.ts';
import { countRefusedCalls } from '../../limits/bucket.ts';
import { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { limits } from '../../limits/table.ts';
import { coalesceRuns } from '../../platform/concurrency/coalesce-runs.ts';
import { SampledLog } from '../../platform/log/sampled-log.ts';
import { ChannelRouter, type OpenOptions } from './channel-router.ts';
import { ConnectRateLimit } from './connect-rate-limit.ts';
import { drainConnections, drainDurationMs } from './drain-connections.ts';
import type { GatewayContext, GatewayParts } from './gateway-context.ts';
import { ConnectionRegistry, type Link } from './link.ts';
import { OperationWork } from './operation-work.ts';
import { Presence, reregister } from './presence.ts';
import { RefusedArrivals } from './refused-arrivals.ts';
import { runOnDevice } from './run-on-device.ts';
import type { Invocation } from './command-channel.ts';
import { EndedCredentials, recheckStreams, recheckStreamsAfterEvent, revocationOf } from './revocations.ts';
import { CallPace } from './serve-executor.ts';
import { PendingReports, upgrade } from './upgrade.ts';

/** Serves the connections of devices and command lines: admits them, records presence, opens channels to devices. */
export interface Gateway {
  /** Handles an upgrade request at `connectPath`. */
  handleUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Opens a channel to a device, on whichever node it is connected; `left` ends it. Rejected as `ChannelRouter.open`. */
  openChannel(deviceId: Id<'device'>, endpoint: string, options?: OpenOptions): Promise<Channel>;
  /** The same for a device on this node; undefined when it is not connected here. */
  openChannelHere(
    deviceId: Id<'device'>,
    endpoint: string,
    options: OpenOptions,
  ): Promise<Channel> | undefined;
  /** Whether a device is connected to this node. */
  isConnectedHere(deviceId: Id<'device'>): boolean;
  /**
   * Opens a terminal over the connection of a device with this node, which has to be one that has said what its agent serves: others may end at an endpoint that they do not know. Undefined
   * where the device is not connected here; rejected as `MultiplexConnection.openChannel`.
   */
  openTerminalHere(
    deviceId: Id<'device'>,
    user: string | undefined,
    signal: AbortSignal,
  ): Promise<OpenedTerminal> | undefined;
  /** Runs a command on a device that offers it, on whichever node it is connected; `left` ends it. Rejected with an ActionError for one that failed. */
  runOnDevice(
    deviceId: Id<'device'>,
    invocation: Invocation,
    onLog: (line: string) => void,
    left: AbortSignal,
  ): Promise<Json | undefined>;
  /** Registers every live connection again, after the node lost its lease and continues under a new id. */
  reregister(): Promise<void>;
  readonly counts: ConnectionRegistry['counts'];
  /** How many calls over links had to wait or were refused, because their callers had too many refused calls. */
  readonly pacedCalls: number;
  /** How many commands of operations run on devices of this node. */
  readonly runningCommands: number;
  /** How long a stop waits for them at most, in milliseconds; 0 while none runs. */
  readonly waitsForCommandsMs: number;
  /**
   * Refuses new connections and closes all others, spread over time when there are many. Upgrades must reach the gateway until it has
   * stopped: they are answered with a Retry-After.
   */
  stop(): Promise<void>;
}

/** A channel to a terminal on a device. */
export interface OpenedTerminal {
  readonly channel: Channel;
  /** Whether the connection of the device is still there. */
  isConnected(): boolean;
}

/** After this long without a lease (30 s after the last confirmed heartbeat) the connections are closed. */
const drainAfterMs = 15_000;
/** A stream whose user lost access is aborted within 5 s, and a link whose credentials have ended is closed, even when no event arrives. */
const recheckEveryMs = 2_000;
const tickEveryMs = 1_000;
/** Connections are ticked a part at a time, so that thousands of them do not block the event loop. */
const ticksPerRound = 20;
const tickMs = tickEveryMs / ticksPerRound;
/** How long a restart of the hub takes. */
const restartMs = 5_000;
/** Agents that lost their connection reconnect within a second. */
const reconnectWithinMs = 1_250;
/** To another node: at once, and not as after a failed connection. */
const comeBack = ': come back in 0 s';
/** Up to this number of clients may reconnect at once and need no scheduled time. */
const unscheduledLinks = 200;

/** Builds the gateway; the HTTP server passes it the upgrades at its path. */
export function createGateway(parts: GatewayParts): Gateway {
  const context = createContext(parts);
  const endedCredentials = new EndedCredentials(context);
  const recheck = coalesceRuns(() =>
    Promise.all([recheckStreams(context), endedCredentials.check()]).then(() => undefined),
  );
  const recheckAll = coalesceRuns(() =>
    Promise.all([recheckStreams(context), endedCredentials.checkAll()]).then(() => undefined),
  );
  const timers = [
    setInterval(ticker(context), tickMs),
    setInterval(() => upkeep(context), tickEveryMs),
    setInterval(() => void recheck(), recheckEveryMs),
  ];
  const unsubscribe = parts.bus.subscribe((event) => handleEvent(context, event), recheckAll);
  const stop = async (): Promise<void> => {
    await drainAll(context);
    for (const timer of timers) clearInterval(timer);
    unsubscribe();
  };
  let stopped: Promise<void> | undefined;
  return {
    handleUpgrade(request, socket, head) {
      const upgrading = upgrade(context, request, socket, head).finally(() =>
        context.upgrades.delete(upgrading),
      );
      context.upgrades.add(upgrading);
    },
    openChannel: (deviceId, endpoint, options) => context.router.open(deviceId, endpoint, options),
    openChannelHere: (deviceId, endpoint, options) => context.router.openHere(deviceId, endpoint, options),
    isConnectedHere: (deviceId) => context.registry.ofDevice(deviceId) !== undefined,
    openTerminalHere: (deviceId, user, signal) => openTerminal(context, deviceId, user, signal),
    runOnDevice: (...call) => runOnDevice(context.router.open.bind(context.router), ...call),
    reregister: () => reregister(context),
    get counts() {
      return context.registry.counts;
    },
    get pacedCalls() {
      return context.callPace.count;
    },
    get runningCommands() {
      return context.operations.runningCount;
    },
    get waitsForCommandsMs() {
      return context.operations.runningCount === 0 ? 0 : (parts.commandsTimeoutMs ?? commandsTimeoutMs);
    },
    stop: () => (stopped ??= stop()),
  };
}

function openTerminal(
  { registry }: GatewayContext,
  deviceId: Id<'device'>,
  user: string | undefined,
  signal: AbortSignal,
): Promise<OpenedTerminal> | undefined {
  const link = registry.allOfDevice(deviceId).findLast(({ connection }) => connection !== undefined);
  const { connection } = link ?? {};
  if (link === undefined || connection === undefined) return undefined;
  if (!link.callsNewerNames) return Promise.reject(new ChannelRejection(channelReasons.unknownEndpoint));
  const endpoint = user === undefined ? 'terminal' : `terminal/${user}`;
  const opening = connection.openChannel(endpoint, { signal });
  return opening.then((channel) => ({ channel, isConnected: () => !link.hasEnded }));
}

function createContext(parts: GatewayParts): GatewayContext {
  const rateLimit = new ConnectRateLimit(parts.nowMs);
  const registry = new ConnectionRegistry(parts.nowMs);
  const { executor, log, nowMs } = parts;
  const context: GatewayContext = {
    parts,
    registry,
    router: new ChannelRouter(registry, parts.nowMs, parts.peers, streamsOfUsers(parts)),
    streamsOfUsers: streamsOfUsers(parts),
    forwardedStreams: new Set(),
    admissions: new FairSemaphore(limits.admissions, () => rateLimit.busy()),
    rateLimit,
    calls: new FairSemaphore(limits.callsOfLink, () => new ChannelClosure('too many calls are waiting')),
    largeInputs: new FairSemaphore(
      limits.largeInputs,
      () => new ChannelClosure('too many large inputs are waiting'),
    ),
    untakenAnswers: parts.untakenAnswers ?? new UntakenAnswers(),
    callPace: new CallPace(parts.refusedCalls ?? countRefusedCalls(parts.nowMs)),
    presence: new Presence(parts),
    operations: new OperationWork({
      executor,
      registry,
      log,
      nowMs,
      isStopping: () => context.isStopping,
    }),
    refusedArrivals: new RefusedArrivals(parts),
    untrustedHeaders: untrustedHeaderReports(parts),
    refusals: new SampledLog(parts.nowMs),
    pendingReports: new PendingReports(parts.nowMs),
    upgrades: new Set(),
    isStopping: false,
    isDraining: false,
  };
  return context;
}

/** Counted through this node and, from whichever node they were requested, to the devices of this node. */
function streamsOfUsers({ maxStreamsPerUser = limits.streamsOfUser.ofCaller }: GatewayParts): FairSemaphore {
  const places = { ...limits.streamsOfUser, ofCaller: maxStreamsPerUser };
  return new FairSemaphore(places, () => new ChannelRejection(channelReasons.limitReached));
}

async function drainAll(context: GatewayContext): Promise<void> {
  context.isStopping = true;
  await commandsEnded(context);
  const links = [...context.registry.links()];
  // Other nodes take the clients at once; alone, it has to be started again first.
  const isAlone = context.parts.peers === undefined;
  const isUnscheduled = !isAlone || links.length <= unscheduledLinks;
  if (isAlone) context.rateLimit.deferRetriesFor(drainDurationMs(links.length) + restartMs);
  await drainConnections(
    links,
    (link) => stopReason(context, link, isUnscheduled),
    undefined,
    (link) => context.operations.release(link),
  );
  if (!isUnscheduled) await delay(reconnectWithinMs);
  await Promise.all(context.upgrades);
  await context.presence.flush();
  await context.refusedArrivals.flush();
}

const commandsTimeoutMs = 120_000;

/** Waits for the commands that run on devices of this node: the devices end them with their connections. */
async function commandsEnded({ operations, parts }: GatewayContext): Promise<void> {
  const commands = operations.runningCount;
  if (commands === 0) return;
  parts.log.info({ count: commands }, 'waiting for commands that run on devices');
  await Promise.race([
    operations.whenIdle(),
    delay(parts.commandsTimeoutMs ?? commandsTimeoutMs, undefined, { ref: false }),
  ]);
}

/** Corral's own programs read the scheduled retry from the close reason and need not connect for it. */
function stopReason(
  { rateLimit, parts }: GatewayContext,
  { connection }: Link,
  isUnscheduled: boolean,
): string {
  const reason = 'the hub is stopping';
  if (parts.peers !== undefined && connection?.peerKind === 'corral') return `${reason}${comeBack}`;
  return isUnscheduled || connection?.peerKind !== 'corral'
    ? reason
    : `${reason}: come back in ${rateLimit.retryAfterSecs()} s`;
}

/** Ticks each connection once a second, as long as timers are on time. */
function ticker({ registry }: GatewayContext): () => void {
  let round: Iterator<Link> | undefined;
  return () => {
    const share = Math.ceil(registry.counts.links / ticksPerRound);
    // An iterator that is not advanced keeps all links that end meanwhile.
    if (share === 0) round = undefined;
    for (let count = 0; count < share; count += 1) {
      round ??= registry.links()[Symbol.iterator]();
      const { value: link, done } = round.next();
      if (done === true) return void (round = undefined);
      link.connection?.tick();
    }
  };
}

function upkeep(context: GatewayContext): void {
  context.refusals.flush();
  void context.presence.flush();
  void context.refusedArrivals.flush();
  if ((context.parts.leaselessMs?.() ?? 0) >= drainAfterMs) void drainWithoutLease(context);
}

/** Other nodes treat this one as dead, so its clients should reconnect there. */
async function drainWithoutLease(context: GatewayContext): Promise<void> {
  if (context.isDraining || context.isStopping) return;
  context.isDraining = true;
  const links = [...context.registry.links()];
  if (links.length > 0)
    context.parts.log.warn({ links: links.length }, 'this node has no lease: its connections are closed');
  await drainConnections(
    links,
    ({ connection }) => (connection?.peerKind === 'corral' ? `${goElsewhere}${comeBack}` : goElsewhere),
    undefined,
    (link) => context.operations.release(link),
  );
  context.isDraining = false;
}

/** Hands out a step, or closes the connections and streams that an event revokes. */
async function handleEvent(context: GatewayContext, event: DomainEvent): Promise<void> {
  if (event.name === 'devices_OperationWorkAvailable')
    return context.operations.offer(event.data['deviceId'] as Id<'device'>);
  const revocation = revocationOf(event);
  if (revocation !== undefined) context.registry.revoke(revocation);
  await recheckStreamsAfterEvent(context, event);
}
