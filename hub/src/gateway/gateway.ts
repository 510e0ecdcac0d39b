import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Actor, DomainEvent, Id } from '@corral/contract';
import {
  MultiplexConnection,
  WebSocketTransport,
  type Channel,
  type ChannelRequest,
  type ConnectionEnd,
} from '@corral/multiplex';
import { WebSocketServer, type WebSocket } from 'ws';
import type { EventBus } from '../events/bus.ts';
import { createGate, type Gate } from '../gate.ts';
import { AdmissionError } from './AdmissionError.ts';
import { admit, type AdmissionParts } from './admit.ts';
import { Directory } from './directory.ts';
import { forward, parseForward, type Forwarding } from './forward.ts';
import type { Link } from './link.ts';
import { Pace } from './pace.ts';
import { PeerWebSocket } from './PeerWebSocket.ts';
import { Presence } from './presence.ts';
import { admissionErrorOf, refuseUpgrade } from './refuse-upgrade.ts';
import { UntrustedHeaderError } from './UntrustedHeaderError.ts';
import { untrustedHeaderReports, type UntrustedHeaderReports } from '../untrusted-header-reports.ts';
import { serveExecutor } from './serve-executor.ts';
import { mustOpenWebSocket } from './websocket-request.ts';
import { withdrawalOf } from './withdrawals.ts';

/** The path at which devices and CLIs connect. */
export const connectPath = '/api/v1/connect/ws';

/** The door of devices and CLIs: admits their connections, keeps presence true, opens channels to devices. */
export interface Gateway {
  /** Takes an upgrade request at `connectPath`. */
  handleUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Opens a channel to a device on this node; undefined when it is not connected here. Rejected as `MultiplexConnection.openChannel`. */
  openChannel(deviceId: Id<'device'>, endpoint: string): Promise<Channel> | undefined;
  /** Registers every live connection anew, after the node has lost its lease and goes on under a new id. */
  reregister(): Promise<void>;
  readonly counts: Directory['counts'];
  /** Lets nobody in any more and ends all connections. */
  stop(): Promise<void>;
}

/** What the gateway is built from. */
export interface GatewayParts extends AdmissionParts {
  readonly bus: EventBus;
  readonly nodeId: () => Id<'clusterNode'>;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  readonly log: Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>;
}

const maxFrameBytes = 1_048_576 + 9;
const maxFragmentsPerFrame = 16;
/** Answers to WebSocket pings that a peer does not read pile up this far. */
const maxPongsBytes = 65_536;
const maxConnectionsPerDevice = 4;
const maxExecutorsPerLink = 8;
const handshakesPerSecond = 500;
/** How many admissions work on the database at a time, and how many more wait for their turn. */
const admissionsAtOnce = 12;
const admissionsWaiting = 2_000;
const reregistrationsAtOnce = 8;

interface State {
  readonly parts: GatewayParts;
  readonly directory: Directory;
  readonly forwardings: Set<Forwarding>;
  readonly webSockets: WebSocketServer;
  readonly pace: Pace;
  readonly admissions: Gate;
  readonly devicePace: Pace;
  readonly presence: Presence;
  readonly untrustedHeaders: UntrustedHeaderReports;
  /** Upgrades that are not decided yet. */
  readonly upgrades: Set<Promise<void>>;
  isStopping: boolean;
}

/** Builds the gateway; the HTTP server hands it the upgrades at its path. */
export function createGateway(parts: GatewayParts): Gateway {
  const state: State = {
    parts,
    directory: new Directory(parts.nowMs),
    forwardings: new Set(),
    webSockets: createWebSocketServer(),
    admissions: createGate(admissionsAtOnce, admissionsWaiting, tooMany),
    pace: new Pace(handshakesPerSecond, handshakesPerSecond, parts.nowMs),
    devicePace: new Pace(1, 30, parts.nowMs),
    presence: new Presence(parts),
    untrustedHeaders: untrustedHeaderReports(parts),
    upgrades: new Set(),
    isStopping: false,
  };
  const ticking = setInterval(() => tick(state), 1_000);
  const unsubscribe = parts.bus.subscribe((event) => follow(state, event));
  return {
    handleUpgrade(request, socket, head) {
      const upgrading = upgrade(state, request, socket, head).finally(() => state.upgrades.delete(upgrading));
      state.upgrades.add(upgrading);
    },
    openChannel: (deviceId, endpoint) => connectionOf(state, deviceId)?.openChannel(endpoint),
    reregister: () => reregister(state),
    get counts() {
      return state.directory.counts;
    },
    async stop() {
      state.isStopping = true;
      for (const link of state.directory.links()) link.close('the hub is stopping');
      await Promise.all(state.upgrades);
      await state.presence.flush();
      clearInterval(ticking);
      unsubscribe();
      state.webSockets.close();
    },
  };
}

function createWebSocketServer(): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    maxFragments: maxFragmentsPerFrame,
    // Text messages are ignored, whatever is in them.
    skipUTF8Validation: true,
    autoPong: false,
    WebSocket: PeerWebSocket,
  });
  server.on('wsClientError', (error, socket) =>
    refuseUpgrade(socket, new AdmissionError(400, 'Invalid', `${error.message}.`)),
  );
  return server;
}

function tick(state: State): void {
  for (const link of state.directory.links()) link.connection?.tick();
  state.devicePace.sweep();
  void state.presence.flush();
}

function connectionOf(state: State, deviceId: string): MultiplexConnection | undefined {
  return state.directory.ofDevice(deviceId);
}

async function upgrade(state: State, request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
  const sinceMs = state.parts.nowMs();
  const onEarlyError = () => socket.destroy();
  socket.on('error', onEarlyError);
  try {
    mustOpenWebSocket(request);
    const link = await state.admissions.run(() => letIn(state, request, sinceMs));
    socket.off('error', onEarlyError);
    state.webSockets.handleUpgrade(request, socket, head, (webSocket) =>
      connect(state, link, webSocket, socket),
    );
    if (link.connection === undefined) ended(state, link);
  } catch (error) {
    if (error instanceof UntrustedHeaderError) state.untrustedHeaders.report(socket.remoteAddress);
    const refusal = admissionErrorOf(error);
    const fields = { status: refusal.status, reason: refusal.message, address: socket.remoteAddress };
    state.parts.log[refusal.status >= 500 ? 'warn' : 'info'](fields, 'a connection was refused');
    refuseUpgrade(socket, refusal);
  }
}

/** Admits and registers a connection; it is in the directory from here on, so that a withdrawal reaches it. */
async function letIn(state: State, request: IncomingMessage, sinceMs: number): Promise<Link> {
  const { parts, directory } = state;
  if (state.isStopping) throw stopping();
  if (!state.pace.take()) throw tooMany();
  const link = await admit(parts, request);
  if (link.foundations.deviceId !== undefined && !state.devicePace.take(link.foundations.deviceId)) {
    throw new AdmissionError(429, 'Internal', 'This device connects too often.', retryAfterSecs());
  }
  const withdrawn = directory.add(link, sinceMs);
  if (withdrawn !== undefined) link.close(withdrawn);
  await register(state, link);
  if (!state.isStopping && link.closeReason === undefined) return link;
  ended(state, link);
  throw state.isStopping
    ? stopping()
    : new AdmissionError(403, 'Forbidden', `The connection was refused: ${link.closeReason}.`);
}

async function register(state: State, link: Link): Promise<void> {
  try {
    if (link.isRegistered) await state.presence.register(link);
  } catch (error) {
    ended(state, link);
    throw error;
  }
}

function stopping(): AdmissionError {
  return new AdmissionError(503, 'Internal', 'The hub is stopping.', 5);
}

function tooMany(): AdmissionError {
  return new AdmissionError(503, 'Internal', 'Too many connections begin at once.', retryAfterSecs());
}

/** Spreads those who come back over the next half minute. */
function retryAfterSecs(): number {
  return 1 + Math.floor(Math.random() * 30);
}

function connect(state: State, link: Link, webSocket: WebSocket, socket: Socket): void {
  const { parts, directory } = state;
  socket.setNoDelay(true);
  socket.setTimeout(0);
  webSocket.on('ping', (data) => {
    if (webSocket.bufferedAmount < maxPongsBytes) webSocket.pong(data);
  });
  const connection = new MultiplexConnection({
    transport: new WebSocketTransport(webSocket, socket),
    now: parts.nowMs,
    schedule: setTimeout,
    delayChannelClosed: true,
    onChannelRequest: (request) => answerRequest(state, link, request),
    onClosed: (end) => {
      parts.log.info({ ...whoIs(link), cause: end.cause, reason: end.reason }, 'disconnected');
      logFault(state, link, end);
      ended(state, link);
    },
  });
  link.attach(connection);
  parts.log.info(whoIs(link), 'connected');
  const older = link.isRegistered ? directory.allOfDevice(link.foundations.deviceId ?? '') : [];
  if (older.length > maxConnectionsPerDevice) older[0]?.close('the device has too many connections');
}

function logFault(state: State, link: Link, end: ConnectionEnd): void {
  if (end.cause === 'failed')
    state.parts.log.error({ ...whoIs(link), err: end.error }, 'a connection failed');
}

function whoIs(link: Link): object {
  const { deviceId, userId } = link.foundations;
  return { ...(deviceId === undefined ? { userId } : { deviceId }), address: link.remoteAddress };
}

function answerRequest(state: State, link: Link, request: ChannelRequest): void {
  if (request.endpoint === 'executor') return answerExecutor(state, link, request);
  const to = parseForward(request.endpoint);
  if (to === undefined) return request.reject('unknown endpoint');
  const parts = {
    executor: state.parts.executor,
    forwardings: state.forwardings,
    connectionOf: (deviceId: string) => connectionOf(state, deviceId),
  };
  forward(parts, link, request, to).catch((error: unknown) => {
    state.parts.log.error({ err: error }, 'a forwarding failed');
  });
}

/** An executor channel may hold an input of 8 MiB, so a connection gets a few of them. */
function answerExecutor(state: State, link: Link, request: ChannelRequest): void {
  if (link.executorCount >= maxExecutorsPerLink) return request.reject('too many executor channels');
  link.executorCount += 1;
  void serveExecutor(state.parts.executor, link, request.accept()).finally(() => (link.executorCount -= 1));
}

/** Forgets a connection and has its end recorded. */
function ended(state: State, link: Link): void {
  state.directory.remove(link);
  state.presence.end(link, state.isStopping ? 'ServerShutdown' : 'Disconnected');
}

/** Cuts what an event has withdrawn the ground from. */
async function follow(state: State, event: DomainEvent): Promise<void> {
  const withdrawal = withdrawalOf(event);
  if (withdrawal !== undefined) state.directory.withdraw(withdrawal);
  if (event.name === 'projects_MemberRemoved') await recheckForwardings(state, event.data['userId']);
}

/** A user who has left a project may have streams to its devices. */
async function recheckForwardings(state: State, userId: unknown): Promise<void> {
  for (const forwarding of state.forwardings) {
    if (forwarding.userId === userId && !(await isStillAllowed(state, forwarding)))
      forwarding.abort('permission denied');
  }
}

/** What cannot be found out is not allowed. */
async function isStillAllowed(state: State, { userId, deviceId }: Forwarding): Promise<boolean> {
  const actor: Actor = { actor: 'User', kind: 'User', userId };
  try {
    const input = { userId, deviceId };
    const caller = { actor, origin: {} };
    return (await state.parts.executor.invoke(caller, 'users_GetDevicePermissions', input)).hasAccess;
  } catch {
    return false;
  }
}

async function reregister(state: State): Promise<void> {
  const turns = createGate(reregistrationsAtOnce, Infinity, tooMany);
  const links = [...state.directory.links()].filter(
    (link) => link.isRegistered && !state.presence.isCurrent(link),
  );
  await Promise.all(links.map((link) => turns.run(() => reregisterLink(state, link))));
}

async function reregisterLink(state: State, link: Link): Promise<void> {
  try {
    if (!link.hasEnded) await state.presence.register(link);
  } catch (error) {
    const fields = { ...whoIs(link), err: error };
    state.parts.log.warn(fields, 'a connection could not be registered anew and is ended');
    link.close('go elsewhere');
  }
}
