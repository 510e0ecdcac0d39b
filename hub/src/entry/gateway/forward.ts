import {
  ActionError,
  channelReasons,
  ids,
  resumableForwards,
  revocationReasons,
  type Actor,
  type Id,
} from '@corral/contract';
import {
  ChannelRejection,
  ConnectionClosure,
  splice,
  type Channel,
  type ChannelRequest,
} from '@corral/multiplex';
import type { Executor } from '../../calls/executor.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import type { ChannelRouter } from './channel-router.ts';
import type { Link } from './link.ts';

/** A stream of a user to a port of a device, from its request to its end. */
export interface ForwardedStream {
  readonly userId: Id<'user'>;
  readonly deviceId: Id<'device'>;
  /** The actor of the request: a token may reach fewer devices than its user. */
  readonly actor: Actor;
  /** Aborts the stream, or prevents it when it is not open yet. */
  abort(reason: string): void;
}

interface ForwardParts {
  readonly executor: Executor;
  readonly router: ChannelRouter;
  readonly forwardedStreams: Set<ForwardedStream>;
  /** How long a stream waits for a channel to the port. */
  readonly openTimeoutMs: number;
  readonly streamsOfUsers: FairSemaphore;
}

interface Destination {
  readonly deviceId: Id<'device'>;
  /** On the device. */
  readonly endpoint: string;
}

const endpointPattern = /^device\/([^/]+)\/proxy\/(forward|resumable)\/tcp\/(\d{1,5})$/;

/** Reads `device/<id>/proxy/forward/tcp/<port>`, and the same with `resumable`; undefined for any other endpoint. */
export function parseForward(endpoint: string): Destination | undefined {
  const [, deviceId, kind, digits] = endpointPattern.exec(endpoint) ?? [];
  if (!ids.device.schema.safeParse(deviceId).success) return undefined;
  const port = Number(digits);
  if (port > 65_535) return undefined;
  const onDevice = kind === 'resumable' ? resumableForwards.endpointOf(port) : `forward/tcp/${port}`;
  return { deviceId: deviceId as Id<'device'>, endpoint: onDevice };
}

/**
 * Joins a user's channel with one to a port on the device, if the user may access it and it is connected. It can be aborted from
 * before the permission check, so that a permission lost during the check is noticed.
 */
export async function forward(
  parts: ForwardParts,
  link: Link,
  request: ChannelRequest,
  to: Destination,
): Promise<void> {
  const userId = link.credentialRefs.userId as Id<'user'> | undefined;
  if (userId === undefined) return request.reject(revocationReasons.permissionDenied);
  if (!parts.streamsOfUsers.tryAcquire({ caller: userId }))
    return request.reject(channelReasons.limitReached);
  const abortController = new AbortController();
  const stream: ForwardedStream = {
    userId,
    deviceId: to.deviceId,
    actor: link.actor,
    abort: (reason) => abortController.abort(reason),
  };
  parts.forwardedStreams.add(stream);
  try {
    const refused = await mayForward(parts.executor, link, userId, to);
    if (refused === undefined) await join(parts, request, stream, to.endpoint, abortController.signal);
    else request.reject(refused);
  } finally {
    parts.forwardedStreams.delete(stream);
    parts.streamsOfUsers.release({ caller: userId });
  }
}

async function join(
  parts: ForwardParts,
  request: ChannelRequest,
  stream: ForwardedStream,
  endpoint: string,
  signal: AbortSignal,
): Promise<void> {
  const device = await openPort(parts, stream, endpoint, signal);
  if (typeof device === 'string') return request.reject(device);
  const user = request.accept();
  const abort = (): void => {
    user.abort(String(signal.reason));
    device.abort(String(signal.reason));
  };
  if (signal.aborted) return abort();
  signal.addEventListener('abort', abort, { once: true });
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
      { actor: link.actor, origin: {}, isOfHub: true },
      'users_GetDevicePermissions',
      {
        userId,
        deviceId: to.deviceId,
      },
    );
    return hasAccess ? undefined : revocationReasons.permissionDenied;
  } catch (error) {
    return error instanceof ActionError && error.kind === 'NotReady'
      ? channelReasons.hubNotReady
      : revocationReasons.permissionDenied;
  }
}

/** The channel to the port, or the reason why there is none. */
async function openPort(
  { router, openTimeoutMs }: ForwardParts,
  { deviceId, userId }: ForwardedStream,
  endpoint: string,
  signal: AbortSignal,
): Promise<Channel | string> {
  try {
    return await router.open(deviceId, endpoint, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(openTimeoutMs)]),
      userId,
    });
  } catch (error) {
    if (signal.aborted) return String(signal.reason);
    if (error instanceof ChannelRejection) return error.message;
    return error instanceof ConnectionClosure
      ? channelReasons.deviceNotConnected
      : channelReasons.deviceSilent;
  }
}
