import type { DomainEvent } from '@corral/contract';
import { addressedChanges, type AddressedChange, type Audience } from './addressed-changes.ts';

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
