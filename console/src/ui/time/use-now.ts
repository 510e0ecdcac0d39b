import { useSyncExternalStore } from 'react';

type Clock = {
  subscribe: (listener: () => void) => () => void;
  read: () => number;
  tick: () => void;
};

let offsetMs = 0;
const currentMs = () => Date.now() + offsetMs;

// One timer per precision for all components; it runs only while one is subscribed.
function createClock(intervalMs: number): Clock {
  const listeners = new Set<() => void>();
  let now = currentMs();
  let timer: number | undefined;
  function tick(): void {
    now = currentMs();
    for (const listener of listeners) listener();
  }
  return {
    tick,
    read: () => (timer === undefined && Math.abs(currentMs() - now) > intervalMs ? (now = currentMs()) : now),
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

/** Has all times shown by a clock that is ahead of this machine's by so many milliseconds, or behind it if negative. */
export function setTimeOffset(aheadMs: number): void {
  offsetMs = aheadMs;
  for (const { tick } of Object.values(clocks)) tick();
}

/** The current time in milliseconds since the epoch, updated every second or every minute by one shared timer. */
export function useNow(precision: 'second' | 'minute'): number {
  const { subscribe, read } = clocks[precision];
  return useSyncExternalStore(subscribe, read);
}
