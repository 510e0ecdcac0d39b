import type { DomainEvent } from '@corral/contract';

/** An event of a committed action; `outboxId` is set if its row in the outbox must be deleted after dispatch. */
export interface CommittedEvent {
  readonly event: DomainEvent;
  readonly outboxId: string | undefined;
}

/** Called at least once per event after the commit of its action, so it must be idempotent. */
export type EventListener = (event: DomainEvent) => void | Promise<void>;

/** Publishes committed events to subscribers. */
export interface EventBus {
  publish(events: readonly DomainEvent[]): Promise<void>;
  /** Returns the function that unsubscribes. */
  subscribe(listener: EventListener): () => void;
}

/** A bus within this process. A listener that fails is reported and does not affect the others. */
export function createInProcessBus(onListenerError: (error: unknown, event: DomainEvent) => void): EventBus {
  const listeners = new Set<EventListener>();
  const deliver = async (listener: EventListener, event: DomainEvent): Promise<void> => {
    try {
      await listener(event);
    } catch (error) {
      onListenerError(error, event);
    }
  };
  return {
    async publish(events) {
      for (const event of events) {
        await Promise.all([...listeners].map((listener) => deliver(listener, event)));
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
