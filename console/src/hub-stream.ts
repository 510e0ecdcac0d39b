import type { LiveCursor } from './data/live-cursor.ts';
import type { SubscribeToStream } from './data/live.ts';
import type { subscribeToStaleQueries } from './data/stale-queries.ts';
import { loadUntilDone } from './ui/load-until-done.ts';

interface StreamCode {
  readonly subscribeToStaleQueries: typeof subscribeToStaleQueries;
}

const loadStream = (): Promise<StreamCode> => import('./data/stale-queries.ts');

/**
 * The changes of the hub after a cursor. Loaded lazily, because the first paint does not need the code of the stream. While that cannot be
 * loaded, the stream is down, and it is tried again every 5 s.
 */
export function hubStream(cursor: LiveCursor, load = loadStream): SubscribeToStream {
  return (listener) => {
    let stop: (() => void) | undefined;
    const loading = new AbortController();
    void loadUntilDone(load, loading.signal, listener.onDown).then((code) => {
      if (!loading.signal.aborted) stop = code?.subscribeToStaleQueries(listener, cursor);
    });
    return () => {
      loading.abort();
      stop?.();
    };
  };
}
