import { type DomainEvent, events, type LiveChange } from '@corral/contract';

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
export type Audience =
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
