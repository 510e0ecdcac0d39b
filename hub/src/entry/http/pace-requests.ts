import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../auth/network.ts';
import { addressMatcher, canonicalAddress, forwardedAddress } from '../../config/addresses.ts';
import { Buckets, type Rate, type RefusedCalls } from '../../limits/bucket.ts';
import { limits, longestWaitMs } from '../../limits/table.ts';
import { refusalOf, refuseSocket, stopParsing, type UpgradeHandler } from './node-server.ts';

/** Which proxies are trusted, and whether their X-Forwarded-For header is. */
interface ProxyTrust {
  readonly trustedProxies: readonly string[];
  readonly trustedProxyHeader: boolean;
}

/** Returns the client's address by the TCP peer and the X-Forwarded-For header. */
type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string | undefined;

/**
 * Creates the function: the peer itself, unless it is a trusted proxy with a trusted header; then the rightmost address that is not a
 * trusted proxy. Addresses further left are written by the client and ignored. `onUnreadable` gets a text of a trusted proxy that is no address.
 */
export function clientAddress(
  { trustedProxies, trustedProxyHeader }: ProxyTrust,
  onUnreadable: (text: string) => void = () => undefined,
): ClientAddress {
  const isTrusted = addressMatcher(trustedProxies);
  const plain = (peer: string | undefined) => canonicalAddress(peer) ?? peer;
  if (!trustedProxyHeader || trustedProxies.length === 0) return plain;
  return (peer, forwardedFor) => {
    let address = plain(peer);
    const hops = forwardedFor?.split(',').filter((hop) => hop.trim() !== '') ?? [];
    while (isTrusted(address)) {
      const hop = hops.pop();
      if (hop === undefined) break;
      const named = forwardedAddress(hop);
      if (named === undefined) {
        onUnreadable(hop.trim());
        break;
      }
      address = copyOf(named);
    }
    return address;
  };
}

/** A slice of the header would keep all of it in memory for as long as the address is kept. */
function copyOf(slice: string): string {
  return Buffer.from(slice).toString();
}

/** How requests are paced. */
export interface PaceRules {
  /** How many requests a second a network may make without a session or token. */
  readonly perSecond: number;
  /** The client's address; undefined where it is not known. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  /** Whether an address is that of a proxy, which forwards the requests of many clients. */
  readonly isProxy: (address: string) => boolean;
  /** The user of the session or token of a request, if that was valid when it was last used. */
  readonly userOf: (request: IncomingMessage) => string | undefined;
  /** The refused calls of users, shared with links. */
  readonly userRefusals: RefusedCalls;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

/** Whether a request has a credential that need not wait. */
type IsKnown = (request: IncomingMessage) => boolean;

/** Wraps listeners so that requests are paced, and counts what it has delayed or refused. */
export interface PacedRequests {
  /** Paces the requests to a listener. */
  pace(listener: RequestListener): RequestListener;
  /** The same where sessions and tokens do not count: all requests are paced but those that `isKnown` accepts. */
  paceUnknown(listener: RequestListener, isKnown: IsKnown): RequestListener;
  /** `paceUnknown` for files, which have a rate of their own. */
  paceFiles(listener: RequestListener, isKnown: IsKnown): RequestListener;
  /** `paceUnknown` for upgrades. */
  paceUpgrades(handler: UpgradeHandler, isKnown: IsKnown): UpgradeHandler;
  /** Counts a refused request of a user. All requests of a user with many refusals are paced. */
  countRefusal(request: IncomingMessage, userId: string): void;
  /** How many requests had to wait or were refused. */
  readonly count: number;
}

/** Load balancers and monitoring ask these, from one address. */
const unpacedPaths = new Set(['/healthz', '/readyz', '/metrics']);
const tooMany = refusalOf('429 Too Many Requests', 'There are too many requests from this address or user.', [
  'Retry-After: 5',
]);

/**
 * Limits the rate of requests of each network without a session or token, and the rate of refused requests of each user. Requests above the rate wait on their connection, which costs
 * the hub nothing, so that others are served meanwhile. A session or token counts once it was found valid.
 */
export function paceRequests(rules: PaceRules): PacedRequests {
  const { delayOf, delayOfUnknown, delayOfFile, countRefusal } = schedules(rules);
  const waiting = new WeakMap<Socket, ServerResponse>();
  const paceBy = (listener: RequestListener, delay: DelayOf): RequestListener => {
    return (request, response) => {
      const { socket } = request;
      const first = waiting.get(socket);
      if (first !== undefined) return endAfter(first, socket);
      const delayMs = delay(request);
      if (delayMs === 0) return listener(request, response);
      paced.count += 1;
      if (delayMs === undefined) return refuseInTurn(response, socket);
      waiting.set(socket, response);
      const timer = setTimeout(() => {
        waiting.delete(socket);
        if (!socket.destroyed) listener(request, response);
      }, delayMs);
      // A request whose client has left does not wait any longer.
      response.once('close', () => clearTimeout(timer));
    };
  };
  const unless = (isKnown: IsKnown, delay: DelayOf): DelayOf => {
    return (request) => (isKnown(request) ? 0 : delay(request));
  };
  const paced = {
    count: 0,
    countRefusal,
    pace: (listener: RequestListener) => paceBy(listener, delayOf),
    paceUnknown: (listener: RequestListener, isKnown: IsKnown) =>
      paceBy(listener, unless(isKnown, delayOfUnknown)),
    paceFiles: (listener: RequestListener, isKnown: IsKnown) =>
      paceBy(listener, unless(isKnown, delayOfFile)),
    paceUpgrades: (handler: UpgradeHandler, isKnown: IsKnown): UpgradeHandler =>
      delayUpgrades(handler, unless(isKnown, delayOfUnknown), () => void (paced.count += 1)),
  };
  return paced;
}

/** How long a request waits, in milliseconds; undefined when it is refused. */
type DelayOf = (request: IncomingMessage) => number | undefined;

/** No request follows an upgrade on its connection, and nothing is read from the connection while it waits. */
function delayUpgrades(handler: UpgradeHandler, delayOf: DelayOf, count: () => void): UpgradeHandler {
  return (request, socket, head) => {
    const delayMs = delayOf(request);
    if (delayMs === 0) return handler(request, socket, head);
    count();
    if (delayMs === undefined) return refuseSocket(socket, tooMany);
    const onEarlyError = (): void => void socket.destroy();
    socket.on('error', onEarlyError);
    const onTurn = (): void => {
      socket.off('close', onLeft).off('error', onEarlyError);
      handler(request, socket, head);
    };
    const timer = setTimeout(onTurn, delayMs);
    const onLeft = (): void => clearTimeout(timer);
    socket.once('close', onLeft);
  };
}

function schedules({ perSecond, addressOf, isProxy, userOf, userRefusals, nowMs }: PaceRules) {
  const scale = perSecond / limits.anonymousRequests.perSecond;
  const bucketsOf = (rate: Rate) =>
    new Buckets({ perSecond: rate.perSecond * scale, burst: rate.burst * scale }, nowMs);
  /** Requests that were already counted when they were scheduled. */
  const counted = new WeakSet<IncomingMessage>();
  const delayOfUser = (request: IncomingMessage, userId: string): number | undefined => {
    if (!userRefusals.isBehind(userId)) return 0;
    counted.add(request);
    return userRefusals.waitMs(userId);
  };
  const delayBy =
    (buckets: Buckets): DelayOf =>
    (request) => {
      const address = addressOf(request);
      return address === undefined || isProxy(address)
        ? 0
        : buckets.waitMs(networkOf(address), longestWaitMs);
    };
  const delayOfUnknown = delayBy(bucketsOf(limits.anonymousRequests));
  return {
    delayOfUnknown,
    delayOfFile: delayBy(bucketsOf(limits.anonymousFiles)),
    delayOf(request: IncomingMessage): number | undefined {
      if (unpacedPaths.has(request.url ?? '')) return 0;
      const userId = userOf(request);
      return userId === undefined ? delayOfUnknown(request) : delayOfUser(request, userId);
    },
    countRefusal(request: IncomingMessage, userId: string): void {
      if (!counted.has(request)) userRefusals.charge(userId);
    },
  };
}

/** Refuses a request after the answers to the requests before it on its connection: only then does Node give the response its socket. */
function refuseInTurn(response: ServerResponse, socket: Socket): void {
  stopParsing(socket);
  if (response.socket !== null) return refuseSocket(socket, tooMany);
  socket.pause();
  response.once('socket', () => refuseSocket(socket, tooMany));
}

/** Ends the connection after the answer to the request that waits; the pipelined requests behind it stay unread. */
function endAfter(first: ServerResponse, socket: Socket): void {
  first.shouldKeepAlive = false;
  socket.pause();
  stopParsing(socket);
}
