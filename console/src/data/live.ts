import { ActionError } from '@corral/contract';
import type { QueryClient } from '@tanstack/react-query';
import { createLiveRefresher } from './live-changes.ts';
import type { LiveListener } from './live-stream.ts';
import { sessionQuery } from './queries-account.ts';

/** How the console gets its news: over the stream, by asking at intervals, or not at all because the hub cannot be reached. */
export type LiveState = 'live' | 'polling' | 'offline';

/** The state of the live view and when something was last heard or read, in milliseconds since the epoch. */
export interface LiveStatus {
  readonly state: LiveState;
  readonly updatedAtMs: number | undefined;
}

/** The live view of one cache. `subscribe` and `status` fit `useSyncExternalStore`. */
export interface Live {
  subscribe(onChange: () => void): () => void;
  status(): LiveStatus;
  /** Asks the hub at once whether it is there, instead of waiting for the next try. */
  retry(): void;
  /** Starts to listen; returns the way to stop. Belongs where somebody is signed in. */
  start(): () => void;
}

// While the hub is away it is asked this often whether it is back.
const probeEveryMs = 5000;

/** Makes the live view of a cache. `follow` is the stream, which tests replace. */
export function createLive(
  client: QueryClient,
  follow: (listener: LiveListener) => () => void = followLater,
): Live {
  const listeners = new Set<() => void>();
  const refresher = createLiveRefresher(client);
  let isStreaming = false;
  let isReachable = true;
  let status: LiveStatus = { state: 'polling', updatedAtMs: undefined };
  function update(heardAtMs = status.updatedAtMs): void {
    // A stream whose line is dead may look open for minutes; a read that did not get through knows better.
    const state = !isReachable ? 'offline' : isStreaming ? 'live' : 'polling';
    if (state === status.state && heardAtMs === status.updatedAtMs) return;
    const wasOffline = status.state === 'offline';
    status = { state, updatedAtMs: heardAtMs };
    if (wasOffline && state !== 'offline') refresher.all();
    for (const listener of listeners) listener();
  }
  function hear(): void {
    isStreaming = true;
    update(Date.now());
  }
  const stream: LiveListener = {
    onOpen: () => {
      isReachable = true;
      hear();
      refresher.all();
    },
    onChange: (change) => {
      hear();
      refresher.apply(change);
    },
    onReset: () => {
      hear();
      refresher.all();
    },
    onDown: () => {
      // Whether the hub is gone or only the stream shows by asking it.
      if (isStreaming) refresher.all();
      isStreaming = false;
      update();
    },
  };
  // A small read whose answer everybody has; watchReads hears how it went.
  function probe(): void {
    void client.refetchQueries({ queryKey: sessionQuery.queryKey, exact: true }, { cancelRefetch: false });
  }
  function watchNetwork(): () => void {
    const timer = window.setInterval(() => {
      if (status.state === 'offline') probe();
    }, probeEveryMs);
    // What the browser thinks of its network is only a reason to look: a hub on this very machine needs none.
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
      const stops = [watchReads(), watchNetwork(), follow(stream)];
      return () => {
        for (const stop of stops) stop();
        isStreaming = false;
        update();
      };
    },
  };
}

// A network failure has no answer of the hub in it, unlike a hub that is there and says that it is not ready.
function isUnreachable(error: unknown): boolean {
  return error instanceof ActionError && error.kind === 'NotReady' && error.cause !== undefined;
}

// The stream is code that the first paint does not need.
function followLater(listener: LiveListener): () => void {
  let stop: (() => void) | undefined;
  let isStopped = false;
  void import('./live-leader.ts').then(({ followLiveStream }) => {
    if (!isStopped) stop = followLiveStream(listener);
  });
  return () => {
    isStopped = true;
    stop?.();
  };
}
