import type { DomainEvent } from '@corral/contract';

/** An event of a committed action; `outboxId` is set where a row waits to be dispatched. */
export interface CommittedEvent {
  readonly event: DomainEvent;
  readonly outboxId: string | undefined;
}

/** Hears events after the commit of their action; called at least once per event, so it must be idempotent. */
export type EventListener = (event: DomainEvent) => void | Promise<void>;

/** Carries committed events to whoever follows from them. */
export interface EventBus {
  publish(events: readonly DomainEvent[]): Promise<void>;
  /** Begins to listen; the answer ends it. */
  subscribe(listener: EventListener): () => void;
}

/** A bus within this process. A listener that fails is reported and hinders no other. */
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
