import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../auth/network.ts';
import { AnonymousPace } from './anonymous-pace.ts';
import { refusalOf, refuseSocket } from './refuse-socket.ts';
import { stopParsing } from './stop-parsing.ts';

/** Whose requests are paced. */
export interface PaceRules {
  /** Requests a second of a network. */
  readonly perSecond: number;
  /** The client's address; undefined where it is not known. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  /** Whether an address is that of a proxy, which sends the requests of many. */
  readonly isProxy: (address: string) => boolean;
  /** Whether a request has a session or token that was valid when it was last used. */
  readonly isKnown: (request: IncomingMessage) => boolean;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

/** What a pace has done since the start. */
export interface PacedRequests {
  /** Puts the pace before a listener. */
  pace(listener: RequestListener): RequestListener;
  /** How many requests had to wait or were refused. */
  readonly count: number;
}

/** Load balancers and monitoring ask these, from one address. */
const unpacedPaths = new Set(['/healthz', '/readyz', '/metrics']);
const tooMany = refusalOf('429 Too Many Requests', 'There are too many requests from this address.', [
  'Retry-After: 5',
]);

/**
 * Lets a network have so many requests a second without a session or token; what is beyond waits on its connection, which costs the hub nothing, so that links and signed-in people are
 * served meanwhile. A credential counts once it was found valid.
 */
export function paceAnonymous({ perSecond, addressOf, isProxy, isKnown, nowMs }: PaceRules): PacedRequests {
  const schedule = new AnonymousPace(perSecond, nowMs);
  const waiting = new WeakMap<Socket, ServerResponse>();
  const delayOf = (request: IncomingMessage): number | undefined => {
    const address = addressOf(request);
    if (address === undefined || isProxy(address) || unpacedPaths.has(request.url ?? '')) return 0;
    return isKnown(request) ? 0 : schedule.nextDelayMs(networkOf(address));
  };
  const paced = { count: 0, pace };
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
