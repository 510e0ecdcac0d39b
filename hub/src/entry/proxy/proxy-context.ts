import type { IncomingMessage } from 'node:http';
import type { EventBus } from '../../platform/events/bus.ts';
import type { Executor } from '../../calls/executor.ts';
import type { Origins } from '../../calls/handler.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { isProxyToken } from '../../auth/proxy-token.ts';
import type { Access, AccessChecks } from './access.ts';
import type { ProxyCookie } from './cookie.ts';
import type { IdleStreamPool } from './IdleStreamPool.ts';
import type { ProxyLimits } from './limits.ts';
import type { OpenChannel } from './open-port.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { hasEntryToken } from './request-target.ts';
import type { Abortable } from './stream-lease.ts';
import type { LogFields } from '../../platform/log/log-fields.ts';

/** What the proxy is built from. */
export interface ProxyParts {
  readonly executor: Executor;
  readonly bus: EventBus;
  readonly openChannel: OpenChannel;
  readonly origins: () => Origins;
  /** Whether browsers on other machines use plain HTTP, where a Secure cookie is not possible. */
  readonly isPlainHttp: boolean;
  readonly nowMs: () => number;
  /** The path of the console's font, for error pages. */
  readonly fontPath?: string | undefined;
  /** Overrides of `defaultLimits`. */
  readonly limits?: Partial<ProxyLimits>;
  readonly log: { error(fields: LogFields, message: string): void };
}

/** The state that all proxied requests share. */
export interface ProxyContext {
  readonly parts: ProxyParts;
  readonly cookie: ProxyCookie;
  readonly checks: AccessChecks;
  readonly streams: FairSemaphore;
  readonly idleStreams: IdleStreamPool;
  readonly limits: ProxyLimits;
  /** The requests that use or open a stream to a device. */
  readonly requests: Set<Abortable>;
  /** The scheme of the pages' URLs in browsers. */
  readonly scheme: () => 'http' | 'https';
  /** Whether responses carry Strict-Transport-Security. */
  readonly sendsHsts: () => boolean;
}

/** An access and its token. */
export interface AuthorizedAccess {
  readonly access: Access;
  readonly token: string;
}

/** Authorizes a request by its cookie for the host that it addresses. Rejects with a ProxyFailure. */
export async function authorize(
  context: ProxyContext,
  { headers }: IncomingMessage,
): Promise<AuthorizedAccess> {
  const token = context.cookie.read(headers.cookie) ?? '';
  if (!isProxyToken('access', token)) throw new ProxyFailure('noToken');
  return mustHaveHost(headers.host, await context.checks.check(token), token);
}

/** The same, only from the cache and without a promise; undefined when the token is not cached. Throws a ProxyFailure. */
export function authorizeFromCache(
  { cookie, checks }: ProxyContext,
  { headers }: IncomingMessage,
): AuthorizedAccess | undefined {
  const token = cookie.read(headers.cookie) ?? '';
  const access = checks.cached(token);
  return access === undefined ? undefined : mustHaveHost(headers.host, access, token);
}

/** Whether a request has an access that was valid when it was last used, and does not redeem another one; reads nothing. */
export function isKnown({ cookie, checks }: ProxyContext, { headers, url = '' }: IncomingMessage): boolean {
  const token = cookie.read(headers.cookie);
  return token !== undefined && checks.isKnown(token) && !hasEntryToken(url);
}

/** An access is valid for its own host name only. */
function mustHaveHost(host: string | undefined, access: Access, token: string): AuthorizedAccess {
  if (hostNameOf(host) !== access.hostname) throw new ProxyFailure('noToken');
  return { access, token };
}

/** The name in a Host header, in lower case and without the port. */
export function hostNameOf(host = ''): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}
