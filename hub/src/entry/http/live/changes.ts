import { type DomainEvent, events, type Id, type LiveChange } from '@corral/contract';
import type { Executor } from '../../../calls/executor.ts';
import { systemCaller, type Answer } from '../../../calls/handler.ts';
import { forEachConcurrently } from '../../../platform/concurrency/for-each-concurrently.ts';
import type { EventStream } from './live-view.ts';
import { GetSessionPermissions } from '../../../domains/users/internal/GetSessionPermissions.ts';

/** A change with its place in the feed. */
export interface FeedMessage {
  readonly number: number;
  /** The change as JSON. */
  readonly data: string;
  readonly audience: Audience;
}

/** All changes of this hub in order. The newest are kept for clients that reconnect. */
export interface ChangeFeed {
  /** Adds the changes of an event; they are delivered after a short delay, equal ones once. */
  take(event: DomainEvent): void;
  /** The number of the newest message. */
  newest(): number;
  /** Makes all who have seen only earlier messages reload, because changes may be missing. */
  requireReload(): void;
  /** The messages after a number; undefined when some are no longer kept, or when one may be hidden by now from those who should receive it. */
  after(number: number): readonly FeedMessage[] | undefined;
  close(): void;
}

/** These events hide a project or a repository from people, and with it the changes that they have not received yet. */
const hidingEvents: ReadonlySet<string> = new Set([
  'projects_Deleted',
  'projects_RepositoryRemoved',
  'repositories_Deleted',
]);

const delayMs = 100;
const keptMessages = 2_000;
const burst = 50;

/** Creates the feed; `onMessages` receives each batch of messages. */
export function createChangeFeed(onMessages: (messages: readonly FeedMessage[]) => void): ChangeFeed {
  let pending = new Map<string, AddressedChange>();
  let kept: FeedMessage[] = [];
  let newest = 0;
  let isHiding = false;
  /** Who has not seen this message yet must reload. */
  let resumableFrom = 0;
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    timer = undefined;
    const messages = [...coalesced(pending)].map(([data, audience]) => ({
      number: (newest += 1),
      data,
      audience,
    }));
    pending = new Map();
    if (isHiding) resumableFrom = newest;
    isHiding = false;
    kept = [...kept, ...messages].slice(-keptMessages);
    onMessages(messages);
  };
  return {
    take(event) {
      isHiding ||= hidingEvents.has(event.name);
      for (const addressed of addressedChanges(event))
        pending.set(JSON.stringify(addressed.change), addressed);
      if (pending.size > 0) timer ??= setTimeout(flush, delayMs);
    },
    newest: () => newest,
    requireReload() {
      newest += 1;
      resumableFrom = newest;
      kept = [];
    },
    after(number) {
      if (number > newest || number < Math.max(resumableFrom, newest - kept.length)) return undefined;
      return kept.slice(kept.length - (newest - number));
    },
    close: () => clearTimeout(timer),
  };
}

/** When many devices of a project change at once, one message for the project replaces theirs. */
function coalesced(pending: ReadonlyMap<string, AddressedChange>): Map<string, Audience> {
  const counts = new Map<string, number>();
  const groupOf = ({ change }: AddressedChange): string => `${change.topic} ${change.projectId}`;
  for (const addressed of pending.values())
    counts.set(groupOf(addressed), (counts.get(groupOf(addressed)) ?? 0) + 1);
  const messages = new Map<string, Audience>();
  for (const [data, addressed] of pending) {
    const isBurst = (counts.get(groupOf(addressed)) ?? 0) > burst && addressed.change.deviceId !== undefined;
    const { deviceId: _one, ...whole } = addressed.change;
    messages.set(isBurst ? JSON.stringify(whole) : data, addressed.audience);
  }
  return messages;
}

/** Who receives a change. */
type Audience =
  | { readonly kind: 'project'; readonly projectId: string }
  | { readonly kind: 'repository'; readonly repositoryId: string }
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'administrators' }
  | { readonly kind: 'everyone' };

/** A change and its audience; administrators receive all changes. */
interface AddressedChange {
  readonly change: LiveChange;
  readonly audience: Audience;
}

/** The changes that an event causes in live views; a logged event also changes the log. */
function addressedChanges({ name, data }: DomainEvent): AddressedChange[] {
  const { stale, persistence } = events[name];
  const projectId = text(data['projectId']);
  const deviceId = text(data['deviceId']);
  const userId = text(data['userId']);
  const repositoryId = text(data['repositoryId']);
  const found: AddressedChange[] = [];
  const add = (change: LiveChange, audience: Audience): void => void found.push({ change, audience });
  if (stale.project !== undefined && projectId !== undefined) {
    const where = deviceId === undefined ? { projectId } : { projectId, deviceId };
    add({ topic: stale.project, ...where }, { kind: 'project', projectId });
  }
  if (stale.repository !== undefined && repositoryId !== undefined)
    add({ topic: stale.repository, repositoryId }, { kind: 'repository', repositoryId });
  if (stale.user !== undefined && userId !== undefined)
    add({ topic: stale.user, userId }, { kind: 'user', userId });
  if (stale.everyone !== undefined) add({ topic: stale.everyone }, { kind: 'everyone' });
  if (stale.administrators !== undefined) add({ topic: stale.administrators }, { kind: 'administrators' });
  if (persistence === 'log') found.push(...logChanges(projectId, repositoryId));
  return found;
}

/** The logs of a project and of a repository that an event is in, or else only that of the instance. */
function logChanges(projectId: string | undefined, repositoryId: string | undefined): AddressedChange[] {
  const found: AddressedChange[] = [];
  if (projectId !== undefined)
    found.push({ change: { topic: 'log', projectId }, audience: { kind: 'project', projectId } });
  if (repositoryId !== undefined)
    found.push({ change: { topic: 'log', repositoryId }, audience: { kind: 'repository', repositoryId } });
  if (found.length > 0) return found;
  return [{ change: { topic: 'log' }, audience: { kind: 'administrators' } }];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A stream of a user. */
export interface Watcher {
  readonly sessionId: Id<'session'>;
  /** Undefined until its request is answered. */
  stream: EventStream | undefined;
  /** Called, possibly more than once, when the session is over. */
  readonly onEnded: () => void;
}

/** What a user may see, as the hub reads it. */
type Permissions = NonNullable<Answer<typeof GetSessionPermissions>['changed'][number]['seen']>;

/** These change what a user may see in ways that the event does not tell: by links of a project, or by several memberships. */
const eventsToRead: ReadonlySet<string> = new Set([
  'projects_MemberAdded',
  'projects_MemberRemoved',
  'repositories_MemberRemoved',
  'users_SetIsAdmin',
  'users_SetPassword',
]);

/** What a signed-in user may see, for all streams of the user; nothing before it is read first. */
export class Viewer {
  readonly userId: Id<'user'>;
  readonly watchers = new Set<Watcher>();
  /** Settled when the permissions were read first. */
  loaded: Promise<void> | undefined;
  /** The digest of what was read last, while no event has changed that; undefined before the first read. */
  digest: string | undefined;
  /** How many events have changed what is seen: what was asked for before one of them is out of date. */
  version = 0;
  #isAdmin = false;
  #projectIds = new Set<string>();
  #repositoryIds = new Set<string>();
  /** Projects and repositories that were deleted: their last changes must still be delivered after a refresh. */
  readonly #deletedIds = new Set<string>();

  constructor(userId: Id<'user'>) {
    this.userId = userId;
  }

  /** Whether the audience is everyone, this user, or a project or repository that is or was seen; administrators see all. */
  sees(audience: Audience): boolean {
    if (this.#isAdmin || audience.kind === 'everyone') return true;
    if (audience.kind === 'user') return audience.userId === this.userId;
    if (audience.kind === 'project') return this.#has(this.#projectIds, audience.projectId);
    return audience.kind === 'repository' && this.#has(this.#repositoryIds, audience.repositoryId);
  }

  #has(ids: ReadonlySet<string>, id: string): boolean {
    return ids.has(id) || this.#deletedIds.has(id);
  }

  /** Sets what was read. */
  replace(digest: string, { isAdmin, projectIds, repositoryIds }: Permissions): void {
    this.digest = digest;
    this.#isAdmin = isAdmin;
    this.#projectIds = new Set(projectIds);
    this.#repositoryIds = new Set(repositoryIds);
  }

  /** Processes an event that may change what the user may see, or end sessions. Returns whether the permissions have to be read again. */
  follow({ name, data }: DomainEvent): boolean {
    const projectId = String(data['projectId']);
    const repositoryId = String(data['repositoryId']);
    if (name === 'projects_Deleted' && this.#projectIds.has(projectId)) keep(this.#deletedIds, projectId);
    if (name === 'repositories_Deleted' && this.#repositoryIds.has(repositoryId))
      keep(this.#deletedIds, repositoryId);
    if (this.#projectIds.has(projectId)) {
      if (name === 'projects_RepositoryAdded') this.#change(this.#repositoryIds, repositoryId, true);
      if (name === 'projects_RepositoryRemoved') return this.#mustBeRead();
    }
    return (
      data['userId'] === this.userId && this.#followOwn(name, data['sessionId'], projectId, repositoryId)
    );
  }

  #followOwn(name: string, sessionId: unknown, projectId: string, repositoryId: string): boolean {
    for (const watcher of this.watchers) {
      const isOver = name === 'users_SessionTerminated' && watcher.sessionId === sessionId;
      if (isOver || name === 'users_Deleted') watcher.onEnded();
    }
    if (name === 'projects_MemberRemoved') this.#change(this.#projectIds, projectId, false);
    if (name === 'projects_MemberAdded') this.#change(this.#projectIds, projectId, true);
    if (name === 'repositories_MemberRemoved') this.#change(this.#repositoryIds, repositoryId, false);
    if (name === 'repositories_MemberAdded') this.#change(this.#repositoryIds, repositoryId, true);
    return eventsToRead.has(name) && this.#mustBeRead();
  }

  #change(ids: Set<string>, id: string, isSeen: boolean): void {
    this.#mustBeRead();
    if (isSeen) ids.add(id);
    else ids.delete(id);
  }

  #mustBeRead(): true {
    this.version += 1;
    if (this.digest !== undefined) this.digest = '';
    return true;
  }
}

/** More than are deleted between an event and the delivery of its changes, 100 ms later. */
const keptDeletedIds = 1_000;

function keep(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > keptDeletedIds && oldest !== undefined) ids.delete(oldest);
}

/** How many sessions one statement checks. */
const sessionsAtOnce = 1000;
/** How many lists of permissions are read at a time. */
const readsAtOnce = 4;
const loadAttempts = 3;

interface AskedSession {
  readonly viewer: Viewer;
  readonly sessionId: Id<'session'>;
}

/** Ends the streams whose sessions have ended, and reads the permissions of viewers where they have changed. */
export async function refreshViewers(executor: Executor, viewers: Iterable<Viewer>): Promise<void> {
  const asked = [...viewers].flatMap(sessionsOf);
  for (let from = 0; from < asked.length; from += sessionsAtOnce) {
    const changed = await ask(executor, asked.slice(from, from + sessionsAtOnce), true);
    await forEachConcurrently(changed, readsAtOnce, async (viewer) => {
      await ask(executor, sessionsOf(viewer).slice(0, 1), false);
    });
  }
}

/** Reads the permissions of a viewer first. If they change all the time, the next refresh has them. */
export async function loadViewer(executor: Executor, viewer: Viewer): Promise<void> {
  for (let attempt = 0; attempt < loadAttempts && viewer.digest === undefined; attempt += 1)
    await ask(executor, sessionsOf(viewer), false);
  viewer.digest ??= '';
}

function sessionsOf(viewer: Viewer): AskedSession[] {
  const sessionIds = new Set([...viewer.watchers].map(({ sessionId }) => sessionId));
  return [...sessionIds].map((sessionId) => ({ viewer, sessionId }));
}

/** Asks about sessions, and what their users see; with `isCheck` only who sees something else than before, who are returned. */
async function ask(executor: Executor, asked: readonly AskedSession[], isCheck: boolean): Promise<Viewer[]> {
  const versions = new Map(asked.map(({ viewer }) => [viewer, viewer.version]));
  const viewers = new Map(asked.map(({ viewer }) => [viewer.userId, viewer]));
  const { ended, changed } = await executor.run(systemCaller, GetSessionPermissions, {
    sessions: asked.map(({ viewer: { digest }, sessionId }) => ({
      sessionId,
      digest: isCheck ? digest : undefined,
    })),
  });
  endWatchers(asked, new Set(ended));
  const toRead: Viewer[] = [];
  for (const { userId, digest, seen } of changed) {
    const viewer = viewers.get(userId);
    if (viewer === undefined) continue;
    if (seen === undefined) toRead.push(viewer);
    else if (versions.get(viewer) === viewer.version) viewer.replace(digest, seen);
  }
  return toRead;
}

function endWatchers(asked: readonly AskedSession[], ended: ReadonlySet<Id<'session'>>): void {
  for (const { viewer, sessionId } of asked) {
    if (!ended.has(sessionId)) continue;
    for (const watcher of viewer.watchers) if (watcher.sessionId === sessionId) watcher.onEnded();
  }
}
