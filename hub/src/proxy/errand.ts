import { DeviceStream } from './device-stream.ts';
import { openPort } from './open-port.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import type { Admitted, Site } from './site.ts';

/** Tells when the client of a request has gone. */
export type WhenClientGoes = (then: () => void) => void;

/** A stream to a device for one request. It is cut when the access ends, when the client goes, and when the proxy stops. */
export interface Errand {
  readonly stream: DeviceStream;
  /** Whether the stream has served a request before, so that the device may just have ended it. */
  readonly isReused: boolean;
  /** The request is over. A stream that may serve others rests for the next one where that is possible, else it ends. */
  release(mayServeOthers: boolean): void;
}

/** What can be cut from outside. */
export interface Cuttable {
  cut(failure: ProxyFailure): void;
}

/** A stream of this access that has served a request and rests, for one more; undefined when there is none. */
export function takeRested(
  site: Site,
  admitted: Admitted,
  whenClientGoes: WhenClientGoes,
): Errand | undefined {
  const stream = site.resting.take(admitted.token);
  if (stream === undefined) return undefined;
  const hold = new Hold(site, admitted, stream);
  whenClientGoes(() => hold.cut(new ProxyFailure('broken')));
  return { stream, isReused: true, release: (mayServeOthers) => hold.release(mayServeOthers) };
}

/** Opens a stream to the device. Rejected with a ProxyFailure. */
export async function openStream(
  site: Site,
  admitted: Admitted,
  whenClientGoes: WhenClientGoes,
): Promise<Errand> {
  const opening = new AbortController();
  const hold = new Hold(site, admitted, { cut: (failure) => opening.abort(failure) });
  whenClientGoes(() => hold.cut(new ProxyFailure('broken')));
  try {
    const stream = await newStream(site, admitted.access, opening.signal);
    hold.what = stream;
    if (opening.signal.aborted) stream.cut(opening.signal.reason as ProxyFailure);
    return { stream, isReused: false, release: (mayServeOthers) => hold.release(mayServeOthers) };
  } catch (error) {
    hold.end();
    throw error;
  }
}

/** One request's hold on a stream that is open or being opened. */
class Hold implements Cuttable {
  readonly #site: Site;
  readonly #admitted: Admitted;
  readonly #unwatch: () => void;
  /** The stream, or what opens it. */
  what: Cuttable;
  #isOver = false;

  constructor(site: Site, admitted: Admitted, what: Cuttable) {
    this.#site = site;
    this.#admitted = admitted;
    this.what = what;
    site.live.add(this);
    this.#unwatch = site.checks.watch(admitted.token, () => this.cut(new ProxyFailure('withdrawn')));
  }

  /** Once the request is over, the stream may serve another. */
  cut(failure: ProxyFailure): void {
    if (!this.#isOver) this.what.cut(failure);
  }

  end(): void {
    this.#isOver = true;
    this.#site.live.delete(this);
    this.#unwatch();
  }

  release(mayServeOthers: boolean): void {
    this.end();
    const { what: stream } = this;
    if (!(stream instanceof DeviceStream)) return;
    const { token, access } = this.#admitted;
    const { resting, turns } = this.#site;
    const mayRest = mayServeOthers && stream.isIdle && !turns.isAwaited(access.deviceId);
    if (mayRest) resting.add(token, access.deviceId, stream);
    else stream.end();
  }
}

/** A stream keeps its turn until it is over; one that rests makes way for it. */
async function newStream(
  { parts, turns, limits, resting }: Site,
  access: Admitted['access'],
  signal: AbortSignal,
): Promise<DeviceStream> {
  if (turns.isFull(access.deviceId)) resting.evict(access.deviceId);
  const giveBack = await turns.take(access.deviceId, signal);
  try {
    const { openWithinMs } = limits;
    const channel = await openPort(parts.openChannel, access, { openWithinMs, signal });
    return new DeviceStream(channel, parts.nowMs, giveBack);
  } catch (error) {
    giveBack();
    throw error;
  }
}
