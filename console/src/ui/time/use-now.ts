import { useSyncExternalStore } from 'react';

type Clock = { subscribe: (listener: () => void) => () => void; read: () => number };

// One timer per precision for all components; it runs only while one is subscribed.
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

/** The current time in milliseconds since the epoch, updated every second or every minute by one shared timer. */
export function useNow(precision: 'second' | 'minute'): number {
  const { subscribe, read } = clocks[precision];
  return useSyncExternalStore(subscribe, read);
}
