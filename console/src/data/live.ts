import { ActionError } from '@corral/contract';
import type { QueryClient } from '@tanstack/react-query';
import { createLiveRefresher } from './live-changes.ts';
import type { LiveListener } from './live-stream.ts';
import { sessionQuery } from './queries-account.ts';

/** How the console gets updates: over the stream, by polling, or not at all because the hub is unreachable. */
export type LiveState = 'live' | 'polling' | 'offline';

/** The state of the live view and the time of the last event or successful read, in milliseconds since the epoch. */
export interface LiveStatus {
  readonly state: LiveState;
  readonly updatedAtMs: number | undefined;
}

/** The live view of one cache. `subscribe` and `status` fit `useSyncExternalStore`. */
export interface Live {
  subscribe(onChange: () => void): () => void;
  status(): LiveStatus;
  /** Probes the hub at once instead of at the next interval. */
  retry(): void;
  /** Subscribes to the stream; returns a function that unsubscribes. Only for signed-in users. */
  start(): () => void;
}

// While the hub is unreachable it is probed at this interval.
const probeIntervalMs = 5000;

/** Creates the live view of a cache. Tests replace `subscribeToStream`. */
export function createLive(
  client: QueryClient,
  subscribeToStream: (listener: LiveListener) => () => void = subscribeLazily,
): Live {
  const listeners = new Set<() => void>();
  const refresher = createLiveRefresher(client);
  let isStreaming = false;
  let isReachable = true;
  let status: LiveStatus = { state: 'polling', updatedAtMs: undefined };
  function update(updatedAtMs = status.updatedAtMs): void {
    // A stream whose connection is dead may look open for minutes, so a failed read overrides it.
    const state = !isReachable ? 'offline' : isStreaming ? 'live' : 'polling';
    if (state === status.state && updatedAtMs === status.updatedAtMs) return;
    const wasOffline = status.state === 'offline';
    status = { state, updatedAtMs: updatedAtMs };
    if (wasOffline && state !== 'offline') refresher.all();
    for (const listener of listeners) listener();
  }
  function onStreamEvent(): void {
    isStreaming = true;
    update(Date.now());
  }
  const stream: LiveListener = {
    onOpen: () => {
      isReachable = true;
      onStreamEvent();
      refresher.all();
    },
    onChange: (change) => {
      onStreamEvent();
      refresher.apply(change);
    },
    onReset: () => {
      onStreamEvent();
      refresher.all();
    },
    onDown: () => {
      // The reads show whether the hub is unreachable or only the stream is down.
      if (isStreaming) refresher.all();
      isStreaming = false;
      update();
    },
  };
  // Reads the session, which is small and always cached; watchReads handles the result.
  function probe(): void {
    void client.refetchQueries({ queryKey: sessionQuery.queryKey, exact: true }, { cancelRefetch: false });
  }
  function watchNetwork(): () => void {
    const timer = window.setInterval(() => {
      if (status.state === 'offline') probe();
    }, probeIntervalMs);
    // The browser's network state only triggers a probe: a hub on the same machine needs no network.
    window.addEventListener('online', probe);
    window.addEventListener('offline', probe);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('online', probe);
      window.removeEventListener('offline', probe);
    };
  }
  function watchReads(): () => void {
    return client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      if (event.action.type === 'success') {
        isReachable = true;
        update(Date.now());
      } else if (event.action.type === 'failed' || event.action.type === 'error') {
        isReachable = !isUnreachable(event.action.error);
        update();
      }
    });
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    status: () => status,
    retry: probe,
    start: () => {
      const stops = [watchReads(), watchNetwork(), subscribeToStream(stream)];
      return () => {
        for (const stop of stops) stop();
        isStreaming = false;
        update();
      };
    },
  };
}

// A network failure has a `cause`; the answer "not ready" of a reachable hub has none.
function isUnreachable(error: unknown): boolean {
  return error instanceof ActionError && error.kind === 'NotReady' && error.cause !== undefined;
}

// Lazy, because the first paint does not need the code of the stream.
function subscribeLazily(listener: LiveListener): () => void {
  let stop: (() => void) | undefined;
  let isStopped = false;
  void import('./live-leader.ts').then(({ subscribeToLiveStream }) => {
    if (!isStopped) stop = subscribeToLiveStream(listener);
  });
  return () => {
    isStopped = true;
    stop?.();
  };
}
