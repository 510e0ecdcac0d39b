import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ActionError } from '@corral/contract';
import { AdmissionError } from './AdmissionError.ts';
import { admit } from './admit.ts';
import type { ConnectPermit } from './connect-rate-limit.ts';
import { startMultiplex } from './start-multiplex.ts';
import { readCredentials, type DeviceCredentials, type UserCredentials } from './credentials.ts';
import type { Link } from './link.ts';
import { admissionErrorOf, refuseUpgrade } from './refuse-upgrade.ts';
import { removeLink, type GatewayContext } from './gateway-context.ts';
import { UntrustedHeaderError } from './UntrustedHeaderError.ts';
import { requireWebSocketUpgrade, openWebSocket } from './web-socket-handshake.ts';

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

/** A device with a pending certificate retries again and again, so few of its refusals are logged. */
function isToBeLogged(
  context: GatewayContext,
  { headers }: IncomingMessage,
  { status, message }: AdmissionError,
): boolean {
  const isPending = status === 403 && /\bis pending\b/.test(message);
  return !isPending || context.pendingReports.takeDue(String(headers['x-device-fingerprint']));
}

function log(context: GatewayContext, socket: Socket, refusal: AdmissionError): void {
  const fields = { status: refusal.status, reason: refusal.message, address: socket.remoteAddress };
  const level = refusal.status >= 500 ? 'warn' : 'info';
  const write = (entry: object, message: string): void => context.parts.log[level](entry, message);
  context.refusals.write(String(refusal.status), write, fields, 'a connection was refused');
}

/** Checks without database queries run first, so that refused clients use up no admissions. */
async function admitAttempt(context: GatewayContext, attempt: UpgradeAttempt): Promise<Link> {
  requireWebSocketUpgrade(attempt.request);
  requireSmallHeaders(attempt.request);
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
function requireSmallHeaders({ rawHeaders }: IncomingMessage): void {
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
    requireNotClosed(context, link);
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

function requireNotClosed(context: GatewayContext, { closeReason }: Link): void {
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
