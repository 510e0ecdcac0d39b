import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AdmissionError } from './AdmissionError.ts';
import { admit } from './admit.ts';
import { takeOver } from './connect.ts';
import { readCredentials, type DeviceCredentials, type UserCredentials } from './credentials.ts';
import type { Link } from './link.ts';
import { admissionErrorOf, refuseUpgrade } from './refuse-upgrade.ts';
import { forget, type State } from './state.ts';
import { UntrustedHeaderError } from './UntrustedHeaderError.ts';
import { mustOpenWebSocket, openWebSocket } from './open-web-socket.ts';

/** An upgrade request with its socket. */
interface Knock {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** When it came, by the gateway's clock. */
  readonly atMs: number;
}

/** Lets a connection in, or answers the upgrade with the reason why not; never rejected. */
export async function upgrade(
  state: State,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<void> {
  const knock = { request, socket, atMs: state.parts.nowMs() };
  const onEarlyError = () => socket.destroy();
  socket.on('error', onEarlyError);
  try {
    const link = await letIn(state, knock);
    socket.off('error', onEarlyError);
    // The answer to the upgrade and the Hello behind it leave in one piece.
    socket.cork();
    if (openWebSocket(request, socket, head)) takeOver(state, link, socket);
    else forget(state, link);
    socket.uncork();
  } catch (error) {
    refuse(state, socket, error);
  }
}

function refuse(state: State, socket: Socket, error: unknown): void {
  if (error instanceof UntrustedHeaderError) state.untrustedHeaders.report(socket.remoteAddress);
  const refusal = admissionErrorOf(error);
  const fields = { status: refusal.status, reason: refusal.message, address: socket.remoteAddress };
  state.parts.log[refusal.status >= 500 ? 'warn' : 'info'](fields, 'a connection was refused');
  refuseUpgrade(socket, refusal);
}

/** What needs no database comes first, so that whoever comes too often costs nobody else's place. */
async function letIn(state: State, knock: Knock): Promise<Link> {
  mustOpenWebSocket(knock.request);
  if (state.isStopping) throw stopping(state);
  if ((state.parts.leaselessMs?.() ?? 0) > 0) throw joiningAgain();
  const credentials = readCredentials(knock.request, state.parts.certificateTrust);
  const permit = state.rateLimit.begin(credentials, state.parts.addressOf(knock.request));
  try {
    const link = await state.admissions.run(() => register(state, knock, credentials));
    permit.accepted();
    link.penalize = permit.penalize;
    return link;
  } catch (error) {
    if (isBadCredential(error)) permit.rejected();
    throw error;
  }
}

/** A secret that is unknown or wrong (401), or a malformed certificate (400); a certificate that is not active (403) is no wrong secret. */
function isBadCredential(error: unknown): boolean {
  const { status } = admissionErrorOf(error);
  return status === 400 || status === 401;
}

/** Admits and registers a connection; it is in the directory from here on, so that a withdrawal reaches it. */
async function register(
  state: State,
  { request, socket, atMs }: Knock,
  credentials: DeviceCredentials | UserCredentials,
): Promise<Link> {
  const { parts, directory, presence } = state;
  if (state.isStopping) throw stopping(state);
  if (socket.destroyed) throw new AdmissionError(408, 'Invalid', 'The client has left.');
  const link = await admit(parts, credentials, request);
  const withdrawn = directory.add(link, atMs);
  if (withdrawn !== undefined) link.close(withdrawn);
  try {
    if (link.isRegistered) await presence.register(link);
    mustStillBeWelcome(state, link);
    return link;
  } catch (error) {
    forget(state, link);
    throw error;
  }
}

function mustStillBeWelcome(state: State, { closeReason }: Link): void {
  if (state.isStopping) throw stopping(state);
  if (closeReason === undefined) return;
  throw new AdmissionError(403, 'Forbidden', `The connection was refused: ${closeReason}.`);
}

/** Whoever the stop has ended knocks again at once and is told a time as well; those hold for the hub that comes next. */
function stopping({ rateLimit }: State): AdmissionError {
  return new AdmissionError(503, 'Internal', 'The hub is stopping.', rateLimit.retryAfterSecs());
}

function joiningAgain(): AdmissionError {
  return new AdmissionError(503, 'Internal', 'The hub is joining its cluster again.', 5);
}
