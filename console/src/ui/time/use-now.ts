import { useSyncExternalStore } from 'react';

type Clock = { subscribe: (listener: () => void) => () => void; read: () => number };

// One timer for all that show the same grain of time, running only while something listens.
function createClock(intervalMs: number): Clock {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: number | undefined;
  function tick(): void {
    now = Date.now();
    for (const listener of listeners) listener();
  }
  return {
    read: () => (timer === undefined && Math.abs(Date.now() - now) > intervalMs ? (now = Date.now()) : now),
    subscribe(listener) {
      listeners.add(listener);
      timer ??= window.setInterval(tick, intervalMs);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        window.clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const clocks = { second: createClock(1000), minute: createClock(60_000) };

/** The present in milliseconds since the epoch, renewed every second or every minute from one shared timer. */
export function useNow(grain: 'second' | 'minute'): number {
  const { subscribe, read } = clocks[grain];
  return useSyncExternalStore(subscribe, read);
}
