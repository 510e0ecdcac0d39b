/** Whether the hub has said that the session is over, for the whole console. */
export interface SessionEnd {
  subscribe(listener: () => void): () => void;
  isOver(): boolean;
  /** Called with true by the first call that is refused, with false by the next sign-in. */
  set(isOver: boolean): void;
}

/** Makes the sign that the session is over; it starts as not over. */
export function createSessionEnd(): SessionEnd {
  const listeners = new Set<() => void>();
  let isOver = false;
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isOver: () => isOver,
    set: (next) => {
      if (next === isOver) return;
      isOver = next;
      for (const listener of listeners) listener();
    },
  };
}
