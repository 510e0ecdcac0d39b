import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../auth/network.ts';
import { RequestSchedule, type RequestRate } from '../concurrency/request-schedule.ts';
import { refusalOf, refuseSocket } from './refuse-socket.ts';
import { stopParsing } from './stop-parsing.ts';
import type { UpgradeHandler } from './upgrades.ts';

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

/** Whether a request has a credential that need not wait. */
export type IsKnown = (request: IncomingMessage) => boolean;

/** What paces requests, and what it has done since the start. */
export interface PacedRequests {
  /** Puts the pace before a listener. */
  pace(listener: RequestListener): RequestListener;
  /** The same where no session or token counts: only what `isKnown` says goes on at once. */
  paceStrangers(listener: RequestListener, isKnown: IsKnown): RequestListener;
  /** The same for files, which have a rate of their own: that of other requests times `fileRateFactor`. */
  paceFiles(listener: RequestListener, isKnown: IsKnown): RequestListener;
  /** `paceStrangers` for upgrades. */
  paceUpgrades(handler: UpgradeHandler, isKnown: IsKnown): UpgradeHandler;
  /** Notes that the request of a user was refused. A user with many refusals waits with all requests. */
  countRefusal(request: IncomingMessage, userId: string): void;
  /** How many requests had to wait or were refused. */
  readonly count: number;
}

/** Build machines that share an address ask for each file by itself, and for large ones in parts. */
const fileRateFactor = 10;
/** How many seconds' requests may come at once from a network that was quiet. */
const burstSecs = 3;
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
  const { delayOf, delayOfStranger, delayOfFile, countRefusal } = schedules(rules);
  const waiting = new WeakMap<Socket, ServerResponse>();
  const paceBy = (listener: RequestListener, delay: DelayOf): RequestListener => {
    return (request, response) => {
      const { socket } = request;
      const first = waiting.get(socket);
      if (first !== undefined) return endBehind(first, socket);
      const delayMs = delay(request);
      if (delayMs === 0) return listener(request, response);
      paced.count += 1;
      if (delayMs === undefined) return refuseInTurn(response, socket);
      waiting.set(socket, response);
      const timer = setTimeout(() => {
        waiting.delete(socket);
        if (!socket.destroyed) listener(request, response);
      }, delayMs);
      // What a client that has left had sent is not kept until its turn comes.
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
    paceStrangers: (listener: RequestListener, isKnown: IsKnown) =>
      paceBy(listener, unless(isKnown, delayOfStranger)),
    paceFiles: (listener: RequestListener, isKnown: IsKnown) =>
      paceBy(listener, unless(isKnown, delayOfFile)),
    paceUpgrades: (handler: UpgradeHandler, isKnown: IsKnown): UpgradeHandler =>
      delayUpgrades(handler, unless(isKnown, delayOfStranger), () => void (paced.count += 1)),
  };
  return paced;
}

/** How long a request waits, in milliseconds; undefined when it is refused. */
type DelayOf = (request: IncomingMessage) => number | undefined;

/** Nothing comes behind an upgrade on its connection, and nothing is read of it while it waits. */
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

function inBursts(perSecond: number): RequestRate {
  return { perSecond, atOnce: perSecond * burstSecs };
}

function schedules({ perSecond, addressOf, isProxy, userOf, callers, nowMs }: PaceRules) {
  const networks = new RequestSchedule(inBursts(perSecond), nowMs);
  const networksOfFiles = new RequestSchedule(inBursts(perSecond * fileRateFactor), nowMs);
  /** Requests that took a turn of their user already. */
  const counted = new WeakSet<IncomingMessage>();
  const delayOfUser = (request: IncomingMessage, userId: string): number | undefined => {
    if (!callers.isBehind(userId)) return 0;
    counted.add(request);
    return callers.nextDelayMs(userId);
  };
  const delayOfNetwork =
    (schedule: RequestSchedule): DelayOf =>
    (request) => {
      const address = addressOf(request);
      return address === undefined || isProxy(address) ? 0 : schedule.nextDelayMs(networkOf(address));
    };
  const delayOfStranger = delayOfNetwork(networks);
  return {
    delayOfStranger,
    delayOfFile: delayOfNetwork(networksOfFiles),
    delayOf(request: IncomingMessage): number | undefined {
      if (unpacedPaths.has(request.url ?? '')) return 0;
      const userId = userOf(request);
      return userId === undefined ? delayOfStranger(request) : delayOfUser(request, userId);
    },
    countRefusal(request: IncomingMessage, userId: string): void {
      if (!counted.has(request)) callers.charge(userId);
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
