import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../auth/network.ts';
import { RequestSchedule } from '../concurrency/request-schedule.ts';
import { refusalOf, refuseSocket } from './refuse-socket.ts';
import { stopParsing } from './stop-parsing.ts';

/** Whose requests are paced. */
export interface PaceRules {
  /** Requests a second of a network without a session or token. */
  readonly perSecond: number;
  /** The client's address; undefined where it is not known. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  /** Whether an address is that of a proxy, which sends the requests of many. */
  readonly isProxy: (address: string) => boolean;
  /** Whose session or token a request has, if it was valid when it was last used. */
  readonly userOf: (request: IncomingMessage) => string | undefined;
  /** The turns of users whose calls are refused; links count in it, too. */
  readonly callers: RequestSchedule;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

/** What a pace has done since the start. */
export interface PacedRequests {
  /** Puts the pace before a listener. */
  pace(listener: RequestListener): RequestListener;
  /** Notes that the request of a user was refused. A user with many refusals waits with all requests. */
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
 * Lets a network have so many requests a second without a session or token, and a user so many that are refused; what is beyond waits on its connection, which costs the hub nothing, so that
 * links and other people are served meanwhile. A credential counts once it was found valid.
 */
export function paceRequests(rules: PaceRules): PacedRequests {
  const { delayOf, countRefusal } = schedules(rules);
  const waiting = new WeakMap<Socket, ServerResponse>();
  const paced = { count: 0, pace, countRefusal };
  function pace(listener: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      const first = waiting.get(socket);
      if (first !== undefined) return endBehind(first, socket);
      const delayMs = delayOf(request);
      if (delayMs === 0) return listener(request, response);
      paced.count += 1;
      if (delayMs === undefined) return refuseInTurn(response, socket);
      waiting.set(socket, response);
      setTimeout(() => {
        waiting.delete(socket);
        if (!socket.destroyed) listener(request, response);
      }, delayMs);
    };
  }
  return paced;
}

function schedules({ perSecond, addressOf, isProxy, userOf, callers, nowMs }: PaceRules) {
  const networks = new RequestSchedule(perSecond, nowMs);
  /** Requests that took a turn of their user already. */
  const counted = new WeakSet<IncomingMessage>();
  const delayOfUser = (request: IncomingMessage, userId: string): number | undefined => {
    if (!callers.isBehind(userId)) return 0;
    counted.add(request);
    return callers.nextDelayMs(userId);
  };
  return {
    delayOf(request: IncomingMessage): number | undefined {
      if (unpacedPaths.has(request.url ?? '')) return 0;
      const userId = userOf(request);
      if (userId !== undefined) return delayOfUser(request, userId);
      const address = addressOf(request);
      return address === undefined || isProxy(address) ? 0 : networks.nextDelayMs(networkOf(address));
    },
    countRefusal(request: IncomingMessage, userId: string): void {
      if (!counted.has(request)) callers.nextDelayMs(userId);
    },
  };
}

/** Refuses a request once the answers to those before it on its connection have ended: Node gives a response its socket then. */
function refuseInTurn(response: ServerResponse, socket: Socket): void {
  stopParsing(socket);
  if (response.socket !== null) return refuseSocket(socket, tooMany);
  socket.pause();
  response.once('socket', () => refuseSocket(socket, tooMany));
}

/** Nothing is served behind a request that waits: its answer is the last of the connection, and the rest of what was sent ahead stays unread. */
function endBehind(first: ServerResponse, socket: Socket): void {
  first.shouldKeepAlive = false;
  socket.pause();
  stopParsing(socket);
}
