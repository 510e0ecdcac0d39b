import { DeviceStream } from './DeviceStream.ts';
import { openPort } from './open-port.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import type { AuthorizedAccess, ProxyContext } from './proxy-context.ts';

/** Registers a callback for when the client closes its request. */
export type OnClientClose = (callback: () => void) => void;

/** A stream to a device, leased to one request. It is aborted when the access ends, the client disconnects or the proxy stops. */
export interface StreamLease {
  readonly stream: DeviceStream;
  /** Whether the stream served a request before. The device may then have closed it just now. */
  readonly isReused: boolean;
  /** Ends the lease. A reusable stream goes to the idle pool if it can; any other is closed. */
  release(isReusable: boolean): void;
}

/** Something that the proxy can abort. */
export interface Abortable {
  abort(failure: ProxyFailure): void;
}

/** Leases an idle stream of this access; undefined when there is none. */
export function leaseIdleStream(
  context: ProxyContext,
  authorized: AuthorizedAccess,
  onClientClose: OnClientClose,
): StreamLease | undefined {
  const stream = context.idleStreams.take(authorized.token);
  if (stream === undefined) return undefined;
  const request = new UpstreamRequest(context, authorized, stream);
  onClientClose(() => request.abort(new ProxyFailure('broken')));
  return { stream, isReused: true, release: (isReusable) => request.release(isReusable) };
}

/** Opens a new stream to the device. Rejects with a ProxyFailure. */
export async function openStream(
  context: ProxyContext,
  authorized: AuthorizedAccess,
  onClientClose: OnClientClose,
): Promise<StreamLease> {
  const opening = new AbortController();
  const request = new UpstreamRequest(context, authorized, { abort: (failure) => opening.abort(failure) });
  onClientClose(() => request.abort(new ProxyFailure('broken')));
  try {
    const stream = await newStream(context, authorized.access, opening.signal);
    request.target = stream;
    if (opening.signal.aborted) stream.abort(opening.signal.reason as ProxyFailure);
    return { stream, isReused: false, release: (isReusable) => request.release(isReusable) };
  } catch (error) {
    request.end();
    throw error;
  }
}

/** One request to a device, registered for access rechecks and for the proxy's stop. */
class UpstreamRequest implements Abortable {
  readonly #context: ProxyContext;
  readonly #authorized: AuthorizedAccess;
  readonly #unwatch: () => void;
  /** What an abort closes: the stream, or its opening. */
  target: Abortable;
  #hasEnded = false;

  constructor(context: ProxyContext, authorized: AuthorizedAccess, target: Abortable) {
    this.#context = context;
    this.#authorized = authorized;
    this.target = target;
    context.requests.add(this);
    this.#unwatch = context.checks.watch(authorized.token, () => this.abort(new ProxyFailure('withdrawn')));
  }

  /** Does nothing after the end of the request, since the stream may serve another one by then. */
  abort(failure: ProxyFailure): void {
    if (!this.#hasEnded) this.target.abort(failure);
  }

  end(): void {
    this.#hasEnded = true;
    this.#context.requests.delete(this);
    this.#unwatch();
  }

  release(isReusable: boolean): void {
    this.end();
    const { target: stream } = this;
    if (!(stream instanceof DeviceStream)) return;
    const { token, access } = this.#authorized;
    const { idleStreams, streams } = this.#context;
    if (isReusable && stream.isWritable && streams.of(access.deviceId).waiting === 0)
      idleStreams.add(token, access.deviceId, stream);
    else stream.close();
  }
}

/** A stream occupies a slot of the device until it closes. When all slots are taken, an idle stream is closed to free one. */
async function newStream(
  { parts, streams, limits, idleStreams }: ProxyContext,
  access: AuthorizedAccess['access'],
  signal: AbortSignal,
): Promise<DeviceStream> {
  const { ofCaller = Infinity } = limits.streamsOfDevice;
  if (streams.of(access.deviceId).running >= ofCaller) idleStreams.evict(access.deviceId);
  const releaseSlot = await streams.take({ caller: access.deviceId }, signal);
  try {
    const { openTimeoutMs } = limits;
    const channel = await openPort(parts.openChannel, access, { openTimeoutMs, signal });
    return new DeviceStream(channel, parts.nowMs, releaseSlot);
  } catch (error) {
    releaseSlot();
    throw error;
  }
}
