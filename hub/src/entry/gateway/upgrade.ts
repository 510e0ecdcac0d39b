import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ActionError } from '@corral/contract';
import { type ConnectionEnd, WebSocketTransport } from '@corral/multiplex';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import type { CertificateHeaderTrust } from '../../config/certificate-header.ts';
import { RecentKeys } from '../../limits/bucket.ts';
import { limits } from '../../limits/table.ts';
import { RateLimitedConnection } from './channel-open-queue.ts';
import type { ConnectPermit } from './connect-rate-limit.ts';
import {
  type DeviceCredentials,
  mustHaveCertificate,
  type PresentedCertificate,
  readCredentials,
  type UserCredentials,
} from './credentials.ts';
import { type GatewayContext, logFieldsOf, removeLink } from './gateway-context.ts';
import { credentialRefsOf, Link } from './link.ts';
import {
  AdmissionError,
  admissionErrorOf,
  mustBeWebSocketUpgrade,
  openWebSocket,
  refuseUpgrade,
  UntrustedHeaderError,
} from './refuse-upgrade.ts';
import { handleChannelRequest } from './serve-executor.ts';
import { AuthenticateDevice } from '../../domains/devices/internal/AuthenticateDevice.ts';
import { AuthenticateWithUserToken } from '../../domains/users/internal/AuthenticateWithUserToken.ts';

const maxHeaderBytes = 16_384;

/** An upgrade request with its socket. */
interface UpgradeAttempt {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** When it arrived, by the gateway's clock. */
  readonly atMs: number;
}

/** Admits a connection, or answers the upgrade with the reason of the refusal; never rejected. */
export async function upgrade(
  context: GatewayContext,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<void> {
  const attempt = { request, socket, atMs: context.parts.nowMs() };
  const onEarlyError = () => socket.destroy();
  socket.on('error', onEarlyError);
  try {
    const link = await admitAttempt(context, attempt);
    socket.off('error', onEarlyError);
    // The response to the upgrade and the Hello after it leave in one packet.
    socket.cork();
    if (openWebSocket(request, socket, head)) startMultiplex(context, link, socket);
    else removeLink(context, link);
    socket.uncork();
  } catch (error) {
    refuse(context, request, socket, error);
  }
}

function refuse(context: GatewayContext, request: IncomingMessage, socket: Socket, error: unknown): void {
  if (error instanceof UntrustedHeaderError) context.untrustedHeaders.report(socket.remoteAddress);
  const refusal = admissionErrorOf(error);
  if (isToBeLogged(context, request, refusal)) log(context, socket, refusal);
  refuseUpgrade(socket, refusal);
}

/** A device whose certificate is not active retries again and again, so few of its refusals are logged. */
function isToBeLogged(
  context: GatewayContext,
  { headers }: IncomingMessage,
  { status }: AdmissionError,
): boolean {
  const fingerprint = headers['x-device-fingerprint'];
  return status !== 403 || fingerprint === undefined || context.pendingReports.takeDue(String(fingerprint));
}

function log(context: GatewayContext, socket: Socket, refusal: AdmissionError): void {
  const fields = { status: refusal.status, reason: refusal.message, address: socket.remoteAddress };
  const level = refusal.status >= 500 ? 'warn' : 'info';
  const write = (entry: object, message: string): void => context.parts.log[level](entry, message);
  context.refusals.write(String(refusal.status), write, fields, 'a connection was refused');
}

/** Checks without database queries run first, so that refused clients use up no admissions. */
async function admitAttempt(context: GatewayContext, attempt: UpgradeAttempt): Promise<Link> {
  mustBeWebSocketUpgrade(attempt.request);
  mustHaveSmallHeaders(attempt.request);
  if (context.isStopping) throw stopping(context);
  if ((context.parts.leaselessMs?.() ?? 0) > 0) throw rejoining();
  if (context.registry.counts.links >= (context.parts.maxLinks ?? Infinity)) throw full(context);
  const credentials = credentialsOf(context, attempt.request);
  const permit = context.rateLimit.begin(credentials, context.parts.addressOf(attempt.request));
  try {
    return await context.admissions.run({ caller: 'all' }, () =>
      register(context, attempt, credentials, permit),
    );
  } catch (error) {
    if (isBadCredential(error)) permit.rejected();
    else if (isRefusedDevice(error)) permit.refused();
    if (credentials.kind === 'device')
      context.refusedArrivals.note(credentials, context.parts.addressOf(attempt.request), error);
    throw error;
  }
}

/** Reads the credentials. An attempt without readable ones counts like one with wrong ones. */
function credentialsOf({ parts, rateLimit }: GatewayContext, request: IncomingMessage) {
  try {
    return readCredentials(request, parts.certificateTrust);
  } catch (error) {
    rateLimit.countMalformed(parts.addressOf(request));
    throw error;
  }
}

/** Browsers send large cookies, but no device or command line does; a certificate with its chain may have 8 KiB. */
function mustHaveSmallHeaders({ rawHeaders }: IncomingMessage): void {
  const sizeBytes = rawHeaders.reduce((sum, text) => sum + text.length, 0);
  if (sizeBytes > maxHeaderBytes)
    throw new AdmissionError(431, 'Invalid', 'The headers of a connection may have at most 16 KiB.');
}

/** A secret that is unknown or wrong, or a malformed certificate; a certificate that is not active does not count as a wrong secret. */
function isBadCredential(error: unknown): boolean {
  if (error instanceof ActionError) return error.kind === 'NotSignedIn';
  return error instanceof AdmissionError && (error.status === 400 || error.status === 401);
}

/** What the check of a device's credentials answers where its token is valid: its certificate is not active, or its project has too many new devices. That the hub is busy is not its fault. */
function isRefusedDevice(error: unknown): boolean {
  return error instanceof ActionError && ['Forbidden', 'Throttled', 'Invalid'].includes(error.kind);
}

/** Admits and registers a connection. It is in the registry from here on, so that a revocation reaches it. */
async function register(
  context: GatewayContext,
  { request, socket, atMs }: UpgradeAttempt,
  credentials: DeviceCredentials | UserCredentials,
  permit: ConnectPermit,
): Promise<Link> {
  const { parts, registry, presence } = context;
  if (context.isStopping) throw stopping(context);
  if (socket.destroyed) throw new AdmissionError(408, 'Invalid', 'The client has left.');
  const link = await admit(parts, credentials, request);
  permit.accepted(link.credentialRefs);
  link.penalize = permit.penalize;
  if (registry.isFull(link)) throw tooMany(link);
  const revocationReason = registry.add(link, atMs);
  if (revocationReason !== undefined) link.close(revocationReason);
  try {
    if (link.isRegistered) await presence.register(link);
    mustNotBeClosed(context, link);
    return link;
  } catch (error) {
    removeLink(context, link);
    throw error;
  }
}

function tooMany({ credentialRefs }: Link): AdmissionError {
  const who = credentialRefs.deviceId === undefined ? 'This user or token' : 'This device';
  return new AdmissionError(429, 'Internal', `${who} has as many connections as it may have.`, 5);
}

function mustNotBeClosed(context: GatewayContext, { closeReason }: Link): void {
  if (context.isStopping) throw stopping(context);
  if (closeReason === undefined) return;
  throw new AdmissionError(403, 'Forbidden', `The connection was refused: ${closeReason}.`);
}

/** Clients that were disconnected by the stop retry at once; they get a Retry-After that suits the hub that starts next. */
function stopping({ rateLimit }: GatewayContext): AdmissionError {
  return new AdmissionError(503, 'Internal', 'The hub is stopping.', rateLimit.retryAfterSecs());
}

function full({ rateLimit }: GatewayContext): AdmissionError {
  return new AdmissionError(
    503,
    'Internal',
    'This node has as many connections as it may have.',
    rateLimit.retryAfterSecs(),
  );
}

function rejoining(): AdmissionError {
  return new AdmissionError(503, 'Internal', 'The hub is joining its cluster again.', 5);
}

/** The dependencies of admission. */
export interface AdmissionParts {
  readonly executor: Executor;
  readonly certificateTrust: CertificateHeaderTrust;
  /** The caller's address, as throttles count it. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
}

/** Authenticates a connection. Throws an AdmissionError or an ActionError when it is refused. */
function admit(
  parts: AdmissionParts,
  credentials: DeviceCredentials | UserCredentials,
  request: IncomingMessage,
): Promise<Link> {
  const address = parts.addressOf(request);
  return credentials.kind === 'user'
    ? admitUser(parts, credentials, address)
    : admitDevice(parts, credentials, mustHaveCertificate(request, parts.certificateTrust), address);
}

async function admitUser(
  parts: AdmissionParts,
  { token }: UserCredentials,
  address: string | undefined,
): Promise<Link> {
  const answer = await parts.executor.run(callerAt(address), AuthenticateWithUserToken, { token });
  if (answer.result === 'Invalid') throw new AdmissionError(401, 'Forbidden', 'The token is unknown.');
  return new Link(answer.actor, credentialRefsOf(answer.actor), false, address);
}

async function admitDevice(
  parts: AdmissionParts,
  credentials: DeviceCredentials,
  certificate: PresentedCertificate,
  address: string | undefined,
): Promise<Link> {
  const { fingerprint, token } = credentials;
  const device = await parts.executor.run(callerAt(address), AuthenticateDevice, {
    fingerprint,
    token,
    ...certificate,
  });
  const { certificateId, projectId } = device;
  const credentialRefs = { ...credentialRefsOf(device.actor), certificateId, projectId };
  return new Link(device.actor, credentialRefs, credentials.isRegistered, address);
}

function callerAt(ip: string | undefined) {
  return { actor: systemCaller.actor, origin: ip === undefined ? {} : { ip } };
}

const everyMs = 60 * 60_000;
const maxDevices = 10_000;

/**
 * Decides when devices with a pending certificate are logged. They reconnect every half minute, perhaps for days, so each is logged at its
 * first attempt and then once an hour.
 */
export class PendingReports {
  readonly #reportedAtMs = new RecentKeys<number>(maxDevices);
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether a device is to be logged now; if so, it counts as logged. The fingerprint is a secret, of which only a digest is kept. */
  takeDue(fingerprint: string): boolean {
    const key = createHash('sha256').update(fingerprint).digest('base64');
    const lastMs = this.#reportedAtMs.peek(key);
    if (lastMs !== undefined && this.#nowMs() - lastMs < everyMs) return false;
    this.#reportedAtMs.set(key, this.#nowMs());
    return true;
  }
}

/** Proxies give up a hub that sends nothing for 8 s (docs/operations/haproxy.md). Clients ping more often, as long as their network lets them. */
const pingWhenQuietMs = 5_000;
/** Each rejected channel request counts as 9 further control frames, which limits rejected requests to 200 a second. */
const framesPerRejection = 9;

/** Starts the multiplex protocol on the socket of an admitted connection whose WebSocket is open. */
function startMultiplex(context: GatewayContext, link: Link, socket: Socket): void {
  const { parts } = context;
  socket.setNoDelay(true);
  socket.setTimeout(0);
  const connection = new RateLimitedConnection({
    transport: new WebSocketTransport(socket, { side: 'server' }),
    now: parts.nowMs,
    schedule: setTimeout,
    delayChannelClosed: true,
    pingWhenQuietMs,
    limits: { framesPerRejection },
    onChannelRequest: (request) => handleChannelRequest(context, link, request),
    onHello: (info) => connection.identified(info),
    onClosed: (end) => {
      if (isCharged(end, link)) link.penalize?.();
      logEnd(context, link, end);
      removeLink(context, link, end);
    },
  });
  link.attach(connection);
  parts.log.info(logFieldsOf(link), 'connected');
  closeOldest(context, link);
}

/** A peer that reconnects instead of waiting for its delayed calls is charged like one that violates the protocol; one that the hub disconnects is not. */
function isCharged({ cause }: ConnectionEnd, { pacedCallCount }: Link): boolean {
  return cause === 'violation' || ((cause === 'peer' || cause === 'lost') && pacedCallCount > 0);
}

/** A device whose old connections hang is admitted, and its oldest connection is closed. */
function closeOldest({ registry }: GatewayContext, { isRegistered, credentialRefs }: Link): void {
  const links = isRegistered ? registry.allOfDevice(credentialRefs.deviceId ?? '') : [];
  if (links.length > limits.linksOfDevice.ofCaller) links[0]?.close('the device has too many connections');
}

function logEnd({ parts }: GatewayContext, link: Link, { cause, reason, error }: ConnectionEnd): void {
  parts.log.info({ ...logFieldsOf(link), cause, reason }, 'disconnected');
  if (cause === 'failed') parts.log.error({ ...logFieldsOf(link), err: error }, 'a connection failed');
}
