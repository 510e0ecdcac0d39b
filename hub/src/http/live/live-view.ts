import { randomBytes } from 'node:crypto';
import { ActionError, type DomainEvent, type Id } from '@corral/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts';
import type { EventBus } from '../../events/bus.ts';
import { identifyReader, type HttpContext } from '../http-context.ts';
import type { Identity } from '../sessions.ts';
import { createChangeFeed, type ChangeFeed, type FeedMessage } from './change-feed.ts';
import { openEventStream, type EventStream, type ServerSentEvent } from './event-stream.ts';
import { createViewer, refreshChanged, type Viewer } from './viewer.ts';

/** All open live views. */
export interface LiveView {
  readonly streamCount: () => number;
  /** Where the changes stand now: a stream that is opened with it later gets all changes of data that is read from now on. */
  cursor(): string;
  /** Ends all streams; clients reconnect to another node. */
  close(): void;
}

/** How often streams send a heartbeat, and how often their sessions and permissions are checked, in milliseconds. */
export interface LiveIntervals {
  readonly beatMs: number;
  readonly refreshMs: number;
}

interface Watcher {
  readonly userId: Id<'user'>;
  readonly viewer: Viewer;
  readonly stream: EventStream;
}

interface LiveViewState {
  readonly beatMs: number;
  readonly context: HttpContext;
  /** Identifies this process: message numbers of another one mean other messages. */
  readonly bootId: string;
  readonly feed: ChangeFeed;
  /** The viewers of all watchers, and of requests that are still being checked. */
  readonly viewers: Set<Viewer>;
  readonly watchers: Set<Watcher>;
  /** How many streams each user has, those included that are still being checked. */
  readonly streamCounts: Map<Id<'user'>, number>;
}

/** What ends or changes is effective within five seconds, even when no event arrives. */
const defaultIntervals: LiveIntervals = { beatMs: 2_000, refreshMs: 2_000 };
const maxStreamsPerUser = 50;

/** `GET /api/v1/stream`: sends each signed-in user the changes of what it may see. */
export function addLiveView(
  server: FastifyInstance,
  context: HttpContext,
  bus: EventBus,
  intervals = defaultIntervals,
): LiveView {
  const viewers = new Set<Viewer>();
  const watchers = new Set<Watcher>();
  const feed = createChangeFeed((messages) => broadcast(state, messages));
  const { beatMs, refreshMs } = intervals;
  const bootId = randomBytes(6).toString('hex');
  const streamCounts = new Map<Id<'user'>, number>();
  const state: LiveViewState = { context, bootId, beatMs, feed, viewers, watchers, streamCounts };
  const unsubscribe = bus.subscribe(
    (event) => handleEvent(state, event),
    () => resetAll(state),
  );
  const beat = setInterval(() => watchers.forEach(({ stream }) => stream.beat()), beatMs);
  const refreshAll = coalesceRuns(() => refreshWatchers(state));
  const refresh = setInterval(() => void refreshAll(), refreshMs);
  server.get('/api/v1/stream', { exposeHeadRoute: false }, (request, reply) => watch(state, request, reply));
  return {
    streamCount: () => watchers.size,
    cursor: () => cursorAt(bootId, feed.newest()),
    close() {
      unsubscribe();
      feed.close();
      clearInterval(beat);
      clearInterval(refresh);
      watchers.forEach(({ stream }) => stream.end());
    },
  };
}

function handleEvent({ feed, viewers }: LiveViewState, event: DomainEvent): void {
  feed.take(event);
  for (const viewer of viewers) viewer.follow(event);
}

/** Changes may be missing: all who watch reload what they show, and what they may see is read again. */
function resetAll(state: LiveViewState): Promise<void> {
  const { feed, watchers, bootId } = state;
  feed.requireReload();
  const id = cursorAt(bootId, feed.newest());
  for (const { stream } of watchers) stream.send([{ id, name: 'reset', data: '{}' }]);
  return refreshWatchers(state);
}

/** The id of a message, after which a reader resumes. */
function cursorAt(bootId: string, number: number): string {
  return `${bootId}-${number}`;
}

function broadcast({ bootId, watchers }: LiveViewState, messages: readonly FeedMessage[]): void {
  for (const { viewer, stream } of watchers) stream.send(visible(bootId, viewer, messages));
}

function visible(bootId: string, viewer: Viewer, messages: readonly FeedMessage[]): ServerSentEvent[] {
  const seen = messages.filter(({ audience }) => viewer.sees(audience));
  return seen.map(({ number, data }) => ({ id: cursorAt(bootId, number), name: 'change', data }));
}

/** A failed refresh, such as during a database restart, ends no stream. */
async function refreshWatchers({ context, watchers }: LiveViewState): Promise<void> {
  const viewers = [...watchers].map(({ viewer }) => viewer);
  await refreshChanged(context.executor, viewers).catch((error: unknown) =>
    context.log.warn({ err: error }, 'the live views could not be checked'),
  );
}

async function watch(
  state: LiveViewState,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = mustHaveSession(await identifyReader(state.context, request.raw));
  // Its `close` has passed, so nothing would release the place of this reader.
  if (reply.raw.destroyed) throw notLoggedIn();
  reply.raw.once('close', reserveStream(state, session.userId));
  const ended = new AbortController();
  const viewer = createViewer({ executor: state.context.executor, ...session, onEnded: () => ended.abort() });
  await subscribeBeforeRefresh(state, viewer);
  if (ended.signal.aborted || reply.raw.destroyed) {
    state.viewers.delete(viewer);
    throw notLoggedIn();
  }
  reply.hijack();
  const stream = openEventStream(reply.raw, reply.getHeaders() as Record<string, string>);
  ended.signal.addEventListener('abort', () => stream.end());
  addWatcher(state, { userId: session.userId, viewer, stream }, reply, cursorOf(request));
  return reply;
}

/** The id of the newest message that the reader has, or the cursor of its first read: browsers send the former by themselves when they reconnect. */
function cursorOf({ headers, query }: FastifyRequest): unknown {
  return headers['last-event-id'] ?? (query as { readonly after?: unknown }).after;
}

/** Subscribes to events before the first refresh, so that no change is lost in between. */
async function subscribeBeforeRefresh({ viewers }: LiveViewState, viewer: Viewer): Promise<void> {
  viewers.add(viewer);
  try {
    await viewer.refresh();
  } catch (error) {
    viewers.delete(viewer);
    throw error;
  }
}

function addWatcher(state: LiveViewState, watcher: Watcher, reply: FastifyReply, cursor: unknown): void {
  state.watchers.add(watcher);
  reply.raw.on('close', () => {
    state.watchers.delete(watcher);
    state.viewers.delete(watcher.viewer);
  });
  sendInitialMessages(state, watcher, cursor);
}

/** Counts a stream before it is checked, since many may be checked at the same time; the returned function releases it. */
function reserveStream({ streamCounts }: LiveViewState, userId: Id<'user'>): () => void {
  const own = streamCounts.get(userId) ?? 0;
  if (own >= maxStreamsPerUser)
    throw new ActionError('Throttled', 'You have too many pages open.', { retryAfterSecs: 30 });
  streamCounts.set(userId, own + 1);
  return () => {
    const left = (streamCounts.get(userId) ?? 1) - 1;
    if (left === 0) streamCounts.delete(userId);
    else streamCounts.set(userId, left);
  };
}

function mustHaveSession({ userId, sessionId }: Identity): { userId: Id<'user'>; sessionId: Id<'session'> } {
  if (userId === undefined || sessionId === undefined) throw notLoggedIn();
  return { userId, sessionId };
}

function notLoggedIn(): ActionError {
  return new ActionError('NotSignedIn', 'Not logged in.');
}

/**
 * Sends a hello, then the changes after the cursor. The hello tells the interval of the beats, and whether these are all changes since then:
 * without a cursor, or with one whose changes are no longer kept, the reader reloads what it shows.
 */
function sendInitialMessages(
  { bootId, feed, context, beatMs }: LiveViewState,
  watcher: Watcher,
  cursor: unknown,
): void {
  const [boot, number] = typeof cursor === 'string' ? cursor.split('-') : [];
  const isKnown = boot === bootId && /^\d{1,15}$/.test(number ?? '');
  const missed = isKnown ? feed.after(Number(number)) : undefined;
  // A client that loses the stream before the first change resumes after the id of the hello.
  const id = cursorAt(bootId, missed === undefined ? feed.newest() : Number(number));
  const data = { version: context.version, beatMs, isResumed: missed !== undefined };
  const hello = { id, name: 'hello', data: JSON.stringify(data) };
  watcher.stream.send([hello, ...visible(bootId, watcher.viewer, missed ?? [])]);
}
