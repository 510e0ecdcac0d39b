import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';
import type { DomainEvent, Id } from '@corral/contract';
import type { Channel } from '@corral/multiplex';
import { createGate } from '../gate.ts';
import { untrustedHeaderReports } from '../untrusted-header-reports.ts';
import { closeSpread, closeSpreadMs } from './close-spread.ts';
import { ConnectRateLimit } from './connect-rate-limit.ts';
import { Directory } from './directory.ts';
import { followForwardings, recheckForwardings } from './forwardings.ts';
import { InputMemory } from './input-memory.ts';
import type { Link } from './link.ts';
import { Presence } from './presence.ts';
import { reregister } from './reregister.ts';
import type { GatewayParts, State } from './state.ts';
import { upgrade } from './upgrade.ts';
import { withdrawalOf } from './withdrawals.ts';

/** The path at which devices and CLIs connect. */
export const connectPath = '/api/v1/connect/ws';

/** The door of devices and CLIs: admits their connections, keeps presence true, opens channels to devices. */
export interface Gateway {
  /** Takes an upgrade request at `connectPath`. */
  handleUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Opens a channel to a device on this node; undefined when it is not connected here. Rejected as `MultiplexConnection.openChannel`. */
  openChannel(
    deviceId: Id<'device'>,
    endpoint: string,
    options?: { readonly signal: AbortSignal },
  ): Promise<Channel> | undefined;
  /** Registers every live connection anew, after the node has lost its lease and goes on under a new id. */
  reregister(): Promise<void>;
  readonly counts: Directory['counts'];
  /**
   * Lets nobody in any more and ends all connections, spread over a while where there are many. Whoever knocks in the meantime is told
   * when to come back, so upgrades must reach it until then.
   */
  stop(): Promise<void>;
}

/** How many admissions work on the database at a time, and how many more wait for their turn: no longer than clients wait for an answer. */
const admissionsAtOnce = 64;
const admissionsWaiting = 500;
/** Without a lease for this long, which is 30 s after the last that was confirmed, devices are better off elsewhere. */
const sendAwayAfterMs = 15_000;
/** A stream that its user has lost is cut within 5 s, even when the hint is lost. */
const recheckEveryMs = 2_000;
const tickEveryMs = 1_000;
/** Connections are looked after in turn, a part at a time, so that thousands of them hold nobody up. */
const ticksPerRound = 20;
const tickMs = tickEveryMs / ticksPerRound;
/** How long a hub is away that stops and starts again. */
const restartMs = 5_000;
/** Agents that have lost their connection knock within a second. */
const knocksWithinMs = 1_250;
/** So few may all knock at once when the hub is back, without having been told when. */
const fewLinks = 200;

/** Builds the gateway; the HTTP server hands it the upgrades at its path. */
export function createGateway(parts: GatewayParts): Gateway {
  const state = createState(parts);
  const timers = [
    setInterval(ticker(state), tickMs),
    setInterval(() => upkeep(state), tickEveryMs),
    setInterval(() => void recheckForwardings(state), recheckEveryMs),
  ];
  const unsubscribe = parts.bus.subscribe((event) => follow(state, event));
  const stop = async (): Promise<void> => {
    await endAll(state);
    for (const timer of timers) clearInterval(timer);
    unsubscribe();
  };
  let stopped: Promise<void> | undefined;
  return {
    handleUpgrade(request, socket, head) {
      const upgrading = upgrade(state, request, socket, head).finally(() => state.upgrades.delete(upgrading));
      state.upgrades.add(upgrading);
    },
    openChannel: (deviceId, endpoint, options) =>
      state.directory.ofDevice(deviceId)?.openChannel(endpoint, options),
    reregister: () => reregister(state),
    get counts() {
      return state.directory.counts;
    },
    stop: () => (stopped ??= stop()),
  };
}

function createState(parts: GatewayParts): State {
  const rateLimit = new ConnectRateLimit(parts.nowMs);
  return {
    parts,
    directory: new Directory(parts.nowMs),
    forwardings: new Set(),
    admissions: createGate(admissionsAtOnce, admissionsWaiting, () => rateLimit.busy()),
    rateLimit,
    inputs: new InputMemory(),
    presence: new Presence(parts),
    untrustedHeaders: untrustedHeaderReports(parts),
    upgrades: new Set(),
    isStopping: false,
    isSendingAway: false,
  };
}

async function endAll(state: State): Promise<void> {
  const links = [...state.directory.links()];
  state.isStopping = true;
  state.rateLimit.closeFor(closeSpreadMs(links.length) + restartMs);
  const isFew = links.length <= fewLinks;
  await closeSpread(links, (link) => stopReason(state, link, isFew));
  if (!isFew) await pass(knocksWithinMs);
  await Promise.all(state.upgrades);
  await state.presence.flush();
}

/** Our own programs read from it when to come back, without having to knock for that. */
function stopReason({ rateLimit }: State, { connection }: Link, isFew: boolean): string {
  const reason = 'the hub is stopping';
  return isFew || connection?.peerKind !== 'ours'
    ? reason
    : `${reason}: come back in ${rateLimit.retryAfterSecs()} s`;
}

/** Ticks each connection once a round, as far as timers are on time. */
function ticker({ directory, rateLimit, parts }: State): () => void {
  let round = directory.links()[Symbol.iterator]();
  let dueAtMs = parts.nowMs() + tickMs;
  return () => {
    const nowMs = parts.nowMs();
    rateLimit.observe(Math.max(0, nowMs - dueAtMs));
    dueAtMs = nowMs + tickMs;
    const share = Math.ceil(directory.counts.links / ticksPerRound);
    for (let count = 0; count < share; count += 1) {
      const { value: link, done } = round.next();
      if (done === true) {
        round = directory.links()[Symbol.iterator]();
        return;
      }
      link.connection?.tick();
    }
  };
}

function upkeep(state: State): void {
  state.rateLimit.sweep();
  void state.presence.flush();
  if ((state.parts.leaselessMs?.() ?? 0) >= sendAwayAfterMs) void sendAway(state);
}

/** Others have taken this node for dead long ago: its connections go to them. */
async function sendAway(state: State): Promise<void> {
  if (state.isSendingAway || state.isStopping) return;
  state.isSendingAway = true;
  const links = [...state.directory.links()];
  if (links.length > 0)
    state.parts.log.warn({ links: links.length }, 'this node has no lease: its connections are sent away');
  await closeSpread(links, () => 'go elsewhere');
  state.isSendingAway = false;
}

/** Cuts what an event has withdrawn the ground from. */
async function follow(state: State, event: DomainEvent): Promise<void> {
  const withdrawal = withdrawalOf(event);
  if (withdrawal !== undefined) state.directory.withdraw(withdrawal);
  await followForwardings(state, event);
}
