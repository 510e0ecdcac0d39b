import type { Id } from '@corral/contract';
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

/**
 * Opens a stream to the device for one request. It is cut when the access ends, when the client goes, and when the proxy stops.
 * Rejected with a ProxyFailure.
 */
export async function openStream(
  { parts, checks, turns, limits, live }: Site,
  { access, token }: Admitted,
  whenClientGoes: (then: () => void) => void,
): Promise<ChannelDuplex> {
  const cut = new AbortController();
  live.add(cut);
  const endings = [
    () => void live.delete(cut),
    checks.watch(token, () => cut.abort(new ProxyFailure('withdrawn'))),
  ];
  const end = (): void => endings.splice(0).forEach((ending) => ending());
  whenClientGoes(() => cut.abort(new ProxyFailure('broken')));
  try {
    endings.push(await turns.take(access.deviceId as Id<'device'>, cut.signal));
    const channel = await openPort(parts.openChannel, access, {
      openWithinMs: limits.openWithinMs,
      signal: cut.signal,
    });
    const stream = new ChannelDuplex(channel, parts.nowMs);
    stream.once('close', end);
    const onCut = (): void => void stream.destroy(cut.signal.reason as Error);
    if (cut.signal.aborted) onCut();
    else cut.signal.addEventListener('abort', onCut, { once: true });
    return stream;
  } catch (error) {
    end();
    throw error;
  }
}
