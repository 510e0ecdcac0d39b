import type { IncomingMessage } from 'node:http';
import type { EventBus } from '../events/bus.ts';
import type { Executor } from '../executor/executor.ts';
import type { Origins } from '../executor/handler.ts';
import { isProxyToken } from '../auth/proxy-token.ts';
import type { Access, AccessChecks } from './access.ts';
import type { ProxyCookie } from './cookie.ts';
import type { ProxyLimits } from './limits.ts';
import type { Cuttable } from './errand.ts';
import type { OpenChannel } from './open-port.ts';
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
  /** The streams to devices that are open or being opened for a request. */
  readonly live: Set<Cuttable>;
  /** How browsers reach the pages. */
  readonly scheme: () => 'http' | 'https';
  /** Whether browsers are to come over HTTPS alone, once they have. */
  readonly isStrict: () => boolean;
}

/** An access, and the token that stands for it. */
export interface Admitted {
  readonly access: Access;
  readonly token: string;
}

/** Finds out what a request may reach on the host that it asks for. Rejected with a ProxyFailure. */
export async function admit(site: Site, { headers }: IncomingMessage): Promise<Admitted> {
  const token = site.cookie.read(headers.cookie) ?? '';
  if (!isProxyToken('access', token)) throw new ProxyFailure('noToken');
  return at(headers.host, await site.checks.check(token), token);
}

/** The same for what was found out just now; undefined where that was not. Throws a ProxyFailure. */
export function readmit({ cookie, checks }: Site, { headers }: IncomingMessage): Admitted | undefined {
  const token = cookie.read(headers.cookie) ?? '';
  const access = checks.recall(token);
  return access === undefined ? undefined : at(headers.host, access, token);
}

/** An access holds for its own host name alone. */
function at(host: string | undefined, access: Access, token: string): Admitted {
  if (hostNameOf(host) !== access.hostname) throw new ProxyFailure('noToken');
  return { access, token };
}

/** The name in a Host header, in lower case and without the port. */
export function hostNameOf(host = ''): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}
