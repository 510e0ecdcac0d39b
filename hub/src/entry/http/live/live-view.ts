import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ActionError, type DomainEvent, type Id } from '@corral/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalBy } from '../../../limits/limit.ts';
import { limits } from '../../../limits/table.ts';
import { coalesceRuns } from '../../../platform/concurrency/coalesce-runs.ts';
import type { EventBus } from '../../../platform/events/bus.ts';
import { type HttpContext, identifyReader, type Identity } from '../identity.ts';
import {
  type ChangeFeed,
  createChangeFeed,
  type FeedMessage,
  loadViewer,
  refreshViewers,
  Viewer,
  type Watcher,
} from './changes.ts';

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

interface LiveViewState {
  readonly beatMs: number;
  readonly context: HttpContext;
  /** Identifies this process: message numbers of another one mean other messages. */
  readonly bootId: string;
  readonly feed: ChangeFeed;
  /** One for all streams of a user, those included that are still being checked. */
  readonly viewers: Map<Id<'user'>, Viewer>;
  /** Those whose permissions are about to be read again. */
  readonly stale: Set<Viewer>;
  readonly refreshStale: () => Promise<void>;
}

/** What ends or changes is effective within five seconds, even when no event arrives. */
const defaultIntervals: LiveIntervals = { beatMs: 2_000, refreshMs: 2_000 };
/** How long after permissions were read for events those of later ones are, so that many changes cost few reads. */
const betweenReadsMs = 200;

/** `GET /api/v1/stream`: sends each signed-in user the changes of what it may see. */
export function addLiveView(
  server: FastifyInstance,
  context: HttpContext,
  bus: EventBus,
  intervals = defaultIntervals,
): LiveView {
  const viewers = new Map<Id<'user'>, Viewer>();
  const stale = new Set<Viewer>();
  const feed = createChangeFeed((messages) => broadcast(state, messages));
  const { beatMs, refreshMs } = intervals;
  const bootId = randomBytes(6).toString('hex');
  const refreshStale = coalesceRuns(async () => {
    const some = [...stale];
    stale.clear();
    await refresh(state, some);
    await delay(betweenReadsMs, undefined, { ref: false });
  });
  const state: LiveViewState = { context, bootId, beatMs, feed, viewers, stale, refreshStale };
  const unsubscribe = bus.subscribe(
    (event) => handleEvent(state, event),
    () => resetAll(state),
  );
  const beat = setInterval(() => streamsOf(state).forEach((stream) => stream.beat()), beatMs);
  const refreshAll = coalesceRuns(() => refresh(state, viewers.values()));
  const refreshing = setInterval(() => void refreshAll(), refreshMs);
  server.get('/api/v1/stream', { exposeHeadRoute: false }, (request, reply) => watch(state, request, reply));
  return {
    streamCount: () => streamsOf(state).length,
    cursor: () => cursorAt(bootId, feed.newest()),
    close() {
      unsubscribe();
      feed.close();
      clearInterval(beat);
      clearInterval(refreshing);
      streamsOf(state).forEach((stream) => stream.end());
    },
  };
}

function streamsOf({ viewers }: LiveViewState): EventStream[] {
  return [...viewers.values()].flatMap(({ watchers }) => [...watchers].flatMap(({ stream }) => stream ?? []));
}

function handleEvent({ feed, viewers, stale, refreshStale }: LiveViewState, event: DomainEvent): void {
  feed.take(event);
  for (const viewer of viewers.values()) if (viewer.follow(event)) stale.add(viewer);
  if (stale.size > 0) void refreshStale();
}

/** Changes may be missing: all who watch reload what they show, and what they may see is read again. */
function resetAll(state: LiveViewState): Promise<void> {
  const { feed, viewers, bootId } = state;
  feed.requireReload();
  const id = cursorAt(bootId, feed.newest());
  for (const stream of streamsOf(state)) stream.send([{ id, name: 'reset', data: '{}' }]);
  return refresh(state, viewers.values());
}

/** The id of a message, after which a reader resumes. */
function cursorAt(bootId: string, number: number): string {
  return `${bootId}-${number}`;
}

function broadcast({ bootId, viewers }: LiveViewState, messages: readonly FeedMessage[]): void {
  for (const viewer of viewers.values()) {
    const seen = visible(bootId, viewer, messages);
    for (const { stream } of viewer.watchers) stream?.send(seen);
  }
}

function visible(bootId: string, viewer: Viewer, messages: readonly FeedMessage[]): ServerSentEvent[] {
  const seen = messages.filter(({ audience }) => viewer.sees(audience));
  return seen.map(({ number, data }) => ({ id: cursorAt(bootId, number), name: 'change', data }));
}

/** A failed refresh, such as during a database restart, ends no stream. */
async function refresh({ context }: LiveViewState, viewers: Iterable<Viewer>): Promise<void> {
  await refreshViewers(context.executor, viewers).catch((error: unknown) =>
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
  const ended = new AbortController();
  const watcher: Watcher = { ...session, stream: undefined, onEnded: () => ended.abort() };
  const viewer = join(state, session.userId, watcher);
  reply.raw.once('close', () => leave(state, viewer, watcher));
  // It follows events before the first read, so that no change is lost in between.
  viewer.loaded ??= loadViewer(state.context.executor, viewer).catch((error: unknown) => {
    viewer.loaded = undefined;
    throw error;
  });
  await viewer.loaded;
  if (ended.signal.aborted || reply.raw.destroyed) throw notLoggedIn();
  reply.hijack();
  const stream = openEventStream(reply.raw, reply.getHeaders() as Record<string, string>);
  ended.signal.addEventListener('abort', () => stream.end());
  watcher.stream = stream;
  sendInitialMessages(state, viewer, stream, cursorOf(request));
  return reply;
}

/** The id of the newest message that the reader has, or the cursor of its first read: browsers send the former by themselves when they reconnect. */
function cursorOf({ headers, query }: FastifyRequest): unknown {
  return headers['last-event-id'] ?? (query as { readonly after?: unknown }).after;
}

/** Adds a stream to those of its user before it is checked, since many may be checked at the same time. */
function join({ viewers }: LiveViewState, userId: Id<'user'>, watcher: Watcher): Viewer {
  const viewer = viewers.get(userId) ?? new Viewer(userId);
  if (viewer.watchers.size >= limits.liveViews.ofCaller) throw refusalBy(limits.liveViews);
  viewer.watchers.add(watcher);
  viewers.set(userId, viewer);
  return viewer;
}

function leave({ viewers }: LiveViewState, viewer: Viewer, watcher: Watcher): void {
  viewer.watchers.delete(watcher);
  if (viewer.watchers.size === 0) viewers.delete(viewer.userId);
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
  viewer: Viewer,
  stream: EventStream,
  cursor: unknown,
): void {
  const [boot, number] = typeof cursor === 'string' ? cursor.split('-') : [];
  const isKnown = boot === bootId && /^\d{1,15}$/.test(number ?? '');
  const missed = isKnown ? feed.after(Number(number)) : undefined;
  // A client that loses the stream before the first change resumes after the id of the hello.
  const id = cursorAt(bootId, missed === undefined ? feed.newest() : Number(number));
  const data = { version: context.version, beatMs, isResumed: missed !== undefined };
  const hello = { id, name: 'hello', data: JSON.stringify(data) };
  stream.send([hello, ...visible(bootId, viewer, missed ?? [])]);
}

/** One event; a client that reconnects sends the last id it has seen. */
interface ServerSentEvent {
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

/** An open response of server-sent events. */
export interface EventStream {
  /** Sends events in one write. */
  send(events: readonly ServerSentEvent[]): void;
  /** Sends an event without data or id, which proves that the hub is alive. */
  beat(): void;
  end(): void;
}

/** A client with more unsent bytes than this is disconnected; it may reconnect. */
const maxWaitingBytes = 256 * 1024;
const reconnectAfterMs = 2_000;

/** Starts the response. */
function openEventStream(response: ServerResponse, headers: Readonly<Record<string, string>>): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    // The connection carries no further request, so shutdown need not wait for it.
    connection: 'close',
    // Disables buffering in nginx.
    'x-accel-buffering': 'no',
  });
  const write = (text: string): void => {
    if (response.writableEnded || response.destroyed) return;
    if (response.writableLength > maxWaitingBytes) response.destroy();
    else response.write(text);
  };
  write(`retry: ${reconnectAfterMs}\n\n`);
  return {
    send(events) {
      if (events.length > 0) write(events.map(written).join(''));
    },
    beat: () => write('event: beat\ndata: {}\n\n'),
    end: () => void response.end(),
  };
}

function written({ id, name, data }: ServerSentEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;
}
