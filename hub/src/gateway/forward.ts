import { ActionError, ids, type Actor, type Id } from '@corral/contract';
import {
  ChannelRejection,
  ConnectionClosure,
  splice,
  type Channel,
  type ChannelRequest,
  type MultiplexConnection,
} from '@corral/multiplex';
import type { Executor } from '../executor/executor.ts';
import type { Link } from './link.ts';

/** A stream of a user to a port of a device, from the request for it to its end. */
export interface Forwarding {
  readonly userId: Id<'user'>;
  readonly deviceId: Id<'device'>;
  /** As whom the user asked: a token may reach less than its user. */
  readonly actor: Actor;
  /** Cuts it, or prevents it when it is not open yet. */
  abort(reason: string): void;
}

interface ForwardParts {
  readonly executor: Executor;
  readonly connectionOf: (deviceId: string) => MultiplexConnection | undefined;
  readonly forwardings: Set<Forwarding>;
}

interface Destination {
  readonly deviceId: Id<'device'>;
  readonly port: number;
}

const endpointForm = /^device\/([^/]+)\/proxy\/forward\/tcp\/(\d{1,5})$/;
const openTimeoutMs = 15_000;

/** Reads `device/<id>/proxy/forward/tcp/<port>`; undefined for any other endpoint. */
export function parseForward(endpoint: string): Destination | undefined {
  const [, deviceId, digits] = endpointForm.exec(endpoint) ?? [];
  if (!ids.device.schema.safeParse(deviceId).success) return undefined;
  const port = Number(digits);
  return port <= 65_535 ? { deviceId: deviceId as Id<'device'>, port } : undefined;
}

/**
 * Joins a user's channel with one to a port on the device, if the user may access it and it is connected. It can be cut from before it
 * is allowed, so that a permission that is lost in between is noticed.
 */
export async function forward(
  parts: ForwardParts,
  link: Link,
  request: ChannelRequest,
  to: Destination,
): Promise<void> {
  const userId = link.foundations.userId as Id<'user'> | undefined;
  if (userId === undefined) return request.reject('permission denied');
  const cut = new AbortController();
  const forwarding: Forwarding = {
    userId,
    deviceId: to.deviceId,
    actor: link.actor,
    abort: (reason) => cut.abort(reason),
  };
  parts.forwardings.add(forwarding);
  try {
    const refused = await mayForward(parts.executor, link, userId, to);
    if (refused === undefined) await join(parts, request, to, cut.signal);
    else request.reject(refused);
  } finally {
    parts.forwardings.delete(forwarding);
  }
}

async function join(
  parts: ForwardParts,
  request: ChannelRequest,
  to: Destination,
  cut: AbortSignal,
): Promise<void> {
  const connection = parts.connectionOf(to.deviceId);
  if (connection === undefined) return request.reject('device not connected');
  const device = await openPort(connection, to.port, cut);
  if (typeof device === 'string') return request.reject(device);
  const user = request.accept();
  const abort = (): void => {
    user.abort(String(cut.reason));
    device.abort(String(cut.reason));
  };
  if (cut.aborted) return abort();
  cut.addEventListener('abort', abort, { once: true });
  await splice(user, device);
}

async function mayForward(
  executor: Executor,
  link: Link,
  userId: Id<'user'>,
  to: Destination,
): Promise<string | undefined> {
  try {
    const { hasAccess } = await executor.invoke(
      { actor: link.actor, origin: {} },
      'users_GetDevicePermissions',
      {
        userId,
        deviceId: to.deviceId,
      },
    );
    return hasAccess ? undefined : 'permission denied';
  } catch (error) {
    return error instanceof ActionError && error.kind === 'NotReady'
      ? 'the hub is not ready'
      : 'permission denied';
  }
}

/** The channel to the port, or the reason why there is none. */
async function openPort(
  connection: MultiplexConnection,
  port: number,
  cut: AbortSignal,
): Promise<Channel | string> {
  try {
    return await connection.openChannel(`forward/tcp/${port}`, {
      signal: AbortSignal.any([cut, AbortSignal.timeout(openTimeoutMs)]),
    });
  } catch (error) {
    if (cut.aborted) return String(cut.reason);
    if (error instanceof ChannelRejection) return error.message;
    return error instanceof ConnectionClosure ? 'device not connected' : 'the device does not answer';
  }
}
