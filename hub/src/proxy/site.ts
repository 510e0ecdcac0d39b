import type { IncomingMessage } from 'node:http';
import type { EventBus } from '../events/bus.ts';
import type { Executor } from '../executor/executor.ts';
import type { Origins } from '../executor/handler.ts';
import { isProxyToken } from '../auth/proxy-token.ts';
import type { Access, AccessChecks } from './access.ts';
import { ChannelDuplex } from './channel-duplex.ts';
import type { ProxyCookie } from './cookie.ts';
import type { ProxyLimits } from './limits.ts';
import { openPort, type OpenChannel } from './open-port.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import type { RestingStreams } from './resting-streams.ts';
import type { Turns } from './turns.ts';

/** What the proxy is built from. */
export interface ProxyParts {
  readonly executor: Executor;
  readonly bus: EventBus;
  readonly openChannel: OpenChannel;
  readonly origins: () => Origins;
  /** Whether browsers come over plain HTTP from other machines, so that no cookie can be bound to HTTPS. */
  readonly isPlain: boolean;
  readonly nowMs: () => number;
  /** Those of `defaultLimits` unless told. */
  readonly limits?: Partial<ProxyLimits>;
  readonly log: { error(fields: object, message: string): void };
}

/** What every request to a device's page shares. */
export interface Site {
  readonly parts: ProxyParts;
  readonly cookie: ProxyCookie;
  readonly checks: AccessChecks;
  readonly turns: Turns;
  /** Streams that wait for the next request of the same access. */
  readonly resting: RestingStreams;
  readonly limits: ProxyLimits;
  /** The streams to devices that are open or being opened, each with the way to cut it. */
  readonly live: Set<AbortController>;
}

/** An access, and the token that stands for it. */
export interface Admitted {
  readonly access: Access;
  readonly token: string;
}

/** Finds out what a request may reach on the host that it asks for. Rejected with a ProxyFailure. */
export async function admit({ cookie, checks }: Site, { headers }: IncomingMessage): Promise<Admitted> {
  const token = cookie.read(headers.cookie) ?? '';
  if (!isProxyToken('access', token)) throw new ProxyFailure('noToken');
  const access = await checks.check(token);
  if (hostNameOf(headers.host) !== access.hostname) throw new ProxyFailure('noToken');
  return { access, token };
}

/** The name in a Host header, in lower case and without the port. */
export function hostNameOf(host = ''): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

/** A stream to a device for one request. */
export interface Errand {
  readonly stream: ChannelDuplex;
  /** Whether the stream has served a request before, so that the device may just have ended it. */
  readonly isReused: boolean;
  /** The request is over: the stream rests for the next one where that is possible, else it ends. */
  release(): void;
}

interface StreamWish {
  readonly whenClientGoes: (then: () => void) => void;
  /** `any`: one that has served a request will do; `fresh`: a new one, which may serve others later; `own`: one for this request alone. */
  readonly kind: 'any' | 'fresh' | 'own';
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
  const cut = new AbortController();
  live.add(cut);
  const endings = [
    () => void live.delete(cut),
    checks.watch(token, () => cut.abort(new ProxyFailure('withdrawn'))),
  ];
  const end = (): void => endings.splice(0).forEach((ending) => ending());
  whenClientGoes(() => cut.abort(new ProxyFailure('broken')));
  try {
    const rested = kind === 'any' ? resting.take(token) : undefined;
    const stream = rested ?? (await newStream(site, access, cut.signal));
    const onCut = (): void => void stream.destroy(cut.signal.reason as Error);
    stream.once('close', end);
    cut.signal.addEventListener('abort', onCut, { once: true });
    endings.push(
      () => void stream.off('close', end),
      () => cut.signal.removeEventListener('abort', onCut),
    );
    if (cut.signal.aborted) onCut();
    const release = (): void => {
      end();
      const mayRest = kind !== 'own' && stream.isFree && !turns.isAwaited(access.deviceId);
      if (mayRest) resting.add(token, access.deviceId, stream);
      else stream.destroy();
    };
    return { stream, isReused: rested !== undefined, release };
  } catch (error) {
    end();
    throw error;
  }
}

/** A stream keeps its turn until it is closed; one that rests makes way for it. */
async function newStream(site: Site, access: Access, signal: AbortSignal): Promise<ChannelDuplex> {
  const { parts, turns, limits, resting } = site;
  if (turns.isFull(access.deviceId)) resting.evict(access.deviceId);
  const giveBack = await turns.take(access.deviceId, signal);
  try {
    const { openWithinMs } = limits;
    const channel = await openPort(parts.openChannel, access, { openWithinMs, signal });
    return new ChannelDuplex(channel, parts.nowMs).once('close', giveBack);
  } catch (error) {
    giveBack();
    throw error;
  }
}
