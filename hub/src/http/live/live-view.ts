import { randomBytes } from 'node:crypto';
import { ActionError, type DomainEvent, type Id } from '@corral/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EventBus } from '../../events/bus.ts';
import { identifyReader, type Door } from '../door.ts';
import type { Identity } from '../sessions.ts';
import { createChangeFeed, type ChangeFeed, type FeedMessage } from './change-feed.ts';
import { openEventStream, type EventStream, type ServerSentEvent } from './event-stream.ts';
import { createViewer, type Viewer } from './viewer.ts';

/** The streams of everybody who watches. */
export interface LiveView {
  readonly streamCount: () => number;
  /** Ends all streams; their readers come back to another node. */
  close(): void;
}

/** How often streams show that they live, and look whether their session does, in milliseconds. */
export interface LivePace {
  readonly beatMs: number;
  readonly refreshMs: number;
}

interface Watcher {
  readonly userId: Id<'user'>;
  readonly viewer: Viewer;
  readonly stream: EventStream;
}

interface State {
  readonly door: Door;
  /** Tells this run of the hub from others, whose numbers mean other messages. */
  readonly bootId: string;
  readonly feed: ChangeFeed;
  /** Those who follow events: the watchers', and of those who are still being let in. */
  readonly viewers: Set<Viewer>;
  readonly watchers: Set<Watcher>;
}

const usualPace: LivePace = { beatMs: 15_000, refreshMs: 60_000 };
const maxStreamsPerUser = 50;

/** `GET /api/v1/stream`: tells each signed-in user what changed among the things that it may see. */
export function addLiveView(server: FastifyInstance, door: Door, bus: EventBus, pace = usualPace): LiveView {
  const viewers = new Set<Viewer>();
  const watchers = new Set<Watcher>();
  const feed = createChangeFeed((messages) => tellAll(state, messages));
  const state: State = { door, bootId: randomBytes(6).toString('hex'), feed, viewers, watchers };
  const unsubscribe = bus.subscribe((event) => hear(state, event));
  const beat = setInterval(() => watchers.forEach(({ stream }) => stream.beat()), pace.beatMs);
  const refresh = setInterval(() => watchers.forEach(({ viewer }) => look(state, viewer)), pace.refreshMs);
  server.get('/api/v1/stream', { exposeHeadRoute: false }, (request, reply) => watch(state, request, reply));
  return {
    streamCount: () => watchers.size,
    close() {
      unsubscribe();
      feed.close();
      clearInterval(beat);
      clearInterval(refresh);
      watchers.forEach(({ stream }) => stream.end());
    },
  };
}

function hear({ feed, viewers }: State, event: DomainEvent): void {
  feed.take(event);
  for (const viewer of viewers) viewer.follow(event);
}

function tellAll({ bootId, watchers }: State, messages: readonly FeedMessage[]): void {
  for (const { viewer, stream } of watchers) stream.send(visible(bootId, viewer, messages));
}

function visible(bootId: string, viewer: Viewer, messages: readonly FeedMessage[]): ServerSentEvent[] {
  const seen = messages.filter(({ audience }) => viewer.sees(audience));
  return seen.map(({ number, data }) => ({ id: `${bootId}-${number}`, name: 'change', data }));
}

/** A database that is away for a moment ends no stream. */
function look({ door }: State, viewer: Viewer): void {
  viewer
    .refresh()
    .catch((error: unknown) => door.log.warn({ err: error }, 'a live view could not be refreshed'));
}

async function watch(state: State, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const session = mustHaveSession(await identifyReader(state.door, request.raw));
  mustHaveRoom(state, session.userId);
  const over = new AbortController();
  const viewer = createViewer({ executor: state.door.executor, ...session, onEnded: () => over.abort() });
  await followFirst(state, viewer);
  if (over.signal.aborted || reply.raw.destroyed) {
    state.viewers.delete(viewer);
    throw notLoggedIn();
  }
  reply.hijack();
  const stream = openEventStream(reply.raw, reply.getHeaders() as Record<string, string>);
  over.signal.addEventListener('abort', () => stream.end());
  addWatcher(state, { userId: session.userId, viewer, stream }, reply, request.headers['last-event-id']);
  return reply;
}

/** The viewer follows events from before its first look, so that nothing is lost between that and the first message. */
async function followFirst({ viewers }: State, viewer: Viewer): Promise<void> {
  viewers.add(viewer);
  try {
    await viewer.refresh();
  } catch (error) {
    viewers.delete(viewer);
    throw error;
  }
}

function addWatcher(state: State, watcher: Watcher, reply: FastifyReply, lastEventId: unknown): void {
  state.watchers.add(watcher);
  reply.raw.on('close', () => {
    state.watchers.delete(watcher);
    state.viewers.delete(watcher.viewer);
  });
  greet(state, watcher, lastEventId);
}

function mustHaveRoom({ watchers }: State, userId: Id<'user'>): void {
  const own = [...watchers].filter((watcher) => watcher.userId === userId);
  if (own.length >= maxStreamsPerUser)
    throw new ActionError('Throttled', 'You have too many pages open.', { retryAfterSecs: 30 });
}

function mustHaveSession({ userId, sessionId }: Identity): { userId: Id<'user'>; sessionId: Id<'session'> } {
  if (userId === undefined || sessionId === undefined) throw notLoggedIn();
  return { userId, sessionId };
}

function notLoggedIn(): ActionError {
  return new ActionError('NotSignedIn', 'Not logged in.');
}

/** Says hello, then what was missed since the given id; a reset where that is not known any more. */
function greet({ bootId, feed, door }: State, watcher: Watcher, lastEventId: unknown): void {
  const [boot, number] = typeof lastEventId === 'string' ? lastEventId.split('-') : [];
  const isKnown = boot === bootId && /^\d{1,15}$/.test(number ?? '');
  const missed = isKnown ? feed.after(Number(number)) : undefined;
  // The id of the greeting is where a reader goes on that loses the stream before the first change.
  const id = `${bootId}-${missed === undefined ? feed.newest() : Number(number)}`;
  const hello = { id, name: 'hello', data: JSON.stringify({ version: door.version }) };
  const isLost = lastEventId !== undefined && missed === undefined;
  const reset = isLost ? [{ id, name: 'reset', data: '{}' }] : [];
  watcher.stream.send([hello, ...reset, ...visible(bootId, watcher.viewer, missed ?? [])]);
}
