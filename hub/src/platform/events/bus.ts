import type { DomainEvent } from '@corral/contract';

/** An event of a committed action; `outboxId` is set if its row in the outbox must be deleted after dispatch. */
export interface CommittedEvent {
  readonly event: DomainEvent;
  readonly outboxId: string | undefined;
}

/** Called at least once per event after its commit, so it must be idempotent. */
export type EventListener = (event: DomainEvent) => void | Promise<void>;

/** Called when events of other nodes may not have arrived: what follows them has to look at the database. */
export type MissedListener = () => void | Promise<void>;

/**
 * Publishes committed events to the subscribers of all nodes. Events of other nodes are hints: they may be lost, and carry only the ids, flags and states of the
 * original. Whatever must not be lost is rechecked in the database by its subscriber.
 */
export interface EventBus {
  /** Resolves when all subscribers of this node have finished. */
  publish(events: readonly DomainEvent[]): Promise<void>;
  /** Subscribes to the events of all nodes. Returns the function that unsubscribes. */
  subscribe(listener: EventListener, onMissed?: MissedListener): () => void;
  /** Subscribes to the events that this node publishes, for work that one node does for all. Returns the function that unsubscribes. */
  subscribeToOwn(listener: EventListener): () => void;
}

/** The subscribers of this node. One that fails is reported and does not affect the others. */
export interface Subscribers extends Pick<EventBus, 'subscribe' | 'subscribeToOwn'> {
  deliver(event: DomainEvent, from: 'this node' | 'another node'): Promise<void>;
  /** Tells all that events may be missing. */
  notifyMissed(): Promise<void>;
}

/** What a subscriber was called for: an event, or events that may be missing. */
export type OnListenerError = (error: unknown, event: DomainEvent | undefined) => void;

/** Creates an empty list of subscribers. */
export function createSubscribers(onListenerError: OnListenerError): Subscribers {
  const ofAll = new Set<{
    readonly listener: EventListener;
    readonly onMissed: MissedListener | undefined;
  }>();
  const ofOwn = new Set<EventListener>();
  const call = async (work: () => void | Promise<void>, event: DomainEvent | undefined): Promise<void> => {
    try {
      await work();
    } catch (error) {
      onListenerError(error, event);
    }
  };
  return {
    subscribe(listener, onMissed) {
      const subscriber = { listener, onMissed };
      ofAll.add(subscriber);
      return () => ofAll.delete(subscriber);
    },
    subscribeToOwn(listener) {
      ofOwn.add(listener);
      return () => ofOwn.delete(listener);
    },
    async deliver(event, from) {
      const listeners = [...ofAll].map(({ listener }) => listener);
      if (from === 'this node') listeners.push(...ofOwn);
      await Promise.all(listeners.map((listener) => call(() => listener(event), event)));
    },
    async notifyMissed() {
      await Promise.all(
        [...ofAll].flatMap(({ onMissed }) => (onMissed === undefined ? [] : [call(onMissed, undefined)])),
      );
    },
  };
}

/** A bus within this process, for a hub without other nodes. */
export function createInProcessBus(onListenerError: OnListenerError): EventBus {
  const subscribers = createSubscribers(onListenerError);
  return {
    async publish(events) {
      for (const event of events) await subscribers.deliver(event, 'this node');
    },
    subscribe: subscribers.subscribe,
    subscribeToOwn: subscribers.subscribeToOwn,
  };
}
