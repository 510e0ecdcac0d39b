import type { Admitted, Site } from './site.ts';
import { DeviceStream } from './device-stream.ts';
import { openPort } from './open-port.ts';
import { ProxyFailure } from './ProxyFailure.ts';

/** A stream to a device for one request. */
export interface Errand {
  readonly stream: DeviceStream;
  /** Whether the stream has served a request before, so that the device may just have ended it. */
  readonly isReused: boolean;
  /** The request is over. A stream that may serve others rests for the next one where that is possible, else it ends. */
  release(mayServeOthers: boolean): void;
}

/** A stream that is open or being opened, with the way to cut it. */
export interface Cuttable {
  cut(failure: ProxyFailure): void;
}

interface StreamWish {
  readonly whenClientGoes: (then: () => void) => void;
  /** `any`: one that has served a request will do; `fresh`: a new one. */
  readonly kind: 'any' | 'fresh';
}

/**
 * Finds or opens a stream to the device for one request. It is cut when the access ends, when the client goes, and when the proxy stops.
 * Rejected with a ProxyFailure.
 */
export async function openStream(
  site: Site,
  { access, token }: Admitted,
  { whenClientGoes, kind }: StreamWish,
): Promise<Errand> {
  const { checks, live, resting, turns } = site;
  const rested = kind === 'any' ? resting.take(token) : undefined;
  let stream = rested;
  let opening: AbortController | undefined;
  const cuttable: Cuttable = {
    cut(failure) {
      opening?.abort(failure);
      stream?.cut(failure);
    },
  };
  live.add(cuttable);
  const unwatch = checks.watch(token, () => cuttable.cut(new ProxyFailure('withdrawn')));
  const end = (): void => {
    live.delete(cuttable);
    unwatch();
  };
  try {
    if (stream === undefined) {
      opening = new AbortController();
      whenClientGoes(() => cuttable.cut(new ProxyFailure('broken')));
      stream = await newStream(site, access, opening.signal);
      if (opening.signal.aborted) stream.cut(opening.signal.reason as ProxyFailure);
    } else whenClientGoes(() => cuttable.cut(new ProxyFailure('broken')));
  } catch (error) {
    end();
    throw error;
  }
  const release = (mayServeOthers: boolean): void => {
    end();
    const mayRest = mayServeOthers && stream.isIdle && !turns.isAwaited(access.deviceId);
    if (mayRest) resting.add(token, access.deviceId, stream);
    else stream.end();
  };
  return { stream, isReused: rested !== undefined, release };
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
