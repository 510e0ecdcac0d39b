/** Whether the hub has reported that the session is over, as a store for the whole console. */
export interface SessionEnd {
  subscribe(listener: () => void): () => void;
  isOver(): boolean;
  /** Set to true by the first call that the hub refuses as not signed in, to false by the next sign-in. */
  set(isOver: boolean): void;
}

/** Creates the store, with the session not over. */
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
