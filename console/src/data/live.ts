import { ActionError } from '@corral/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { hubOf } from './hub.ts';
import type { LiveListener } from './live-stream.ts';
import { sessionQuery } from './queries-account.ts';
import { hubNow } from './hub-clock.ts';
import { createThrottledRefresh } from './throttled-refresh.ts';

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
  /** Watches whether the hub can be reached; returns a function that ends it. */
  watch(): () => void;
  /** Subscribes to the stream; returns a function that unsubscribes. Only for signed-in users. */
  follow(): () => void;
}

// While the hub is unreachable it is probed at this interval.
const probeIntervalMs = 5000;
// A hub that does not answer within this time counts as unreachable, also when it accepts connections.
const probeTimeoutMs = 3000;

// The stream begins later than this only if the first reads take longer.
const firstReadsMs = 10_000;

/** The events of a stream of changes, without what the changes are: which queries they make stale is not known before the first paint. */
export interface StaleListener extends Omit<LiveListener, 'onChange'> {
  onStale(isStale: (key: QueryKey) => boolean): void;
}

/** Subscribes to a stream of changes; returns a function that unsubscribes. */
export type SubscribeToStream = (listener: StaleListener) => () => void;

/** Creates the live view of a cache. */
export function createLive(client: QueryClient, subscribeToStream: SubscribeToStream): Live {
  const refresh = createThrottledRefresh(client);
  const status = createStatus(refresh.all);
  const probe = createProbe(client, (isReachable) => status.set({ isReachable }));
  let hasOpened = false;
  const stream: StaleListener = {
    onOpen: () => {
      hasOpened = true;
      status.set({ isReachable: true, isStreaming: true }, hubNow());
    },
    onStale: (isStale) => {
      status.set({ isStreaming: true }, hubNow());
      refresh.where(isStale);
    },
    onReset: () => {
      status.set({ isStreaming: true }, hubNow());
      refresh.all();
    },
    onDown: () => {
      // The probe shows whether the hub is unreachable, the session has ended, or only the stream is down.
      if (status.isStreaming() || !hasOpened) probe();
      status.set({ isStreaming: false });
    },
  };
  return {
    subscribe: status.subscribe,
    status: status.current,
    retry: probe,
    watch: () => {
      const stops = [
        watchReads(client, (isReachable, readAtMs) => status.set({ isReachable }, readAtMs)),
        watchNetwork(probe, () => status.current().state === 'offline'),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    follow: () => {
      let stop: (() => void) | undefined;
      const cancel = onceIdle(client, () => {
        stop = subscribeToStream(stream);
      });
      return () => {
        cancel();
        stop?.();
        status.set({ isStreaming: false });
      };
    },
  };
}

/** The status and its listeners. `onBackOnline` is called when the hub is reachable again. */
function createStatus(onBackOnline: () => void) {
  const listeners = new Set<() => void>();
  let isStreaming = false;
  let isReachable = true;
  let status: LiveStatus = { state: 'polling', updatedAtMs: undefined };
  return {
    current: (): LiveStatus => status,
    isStreaming: (): boolean => isStreaming,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(change: { isStreaming?: boolean; isReachable?: boolean }, updatedAtMs = status.updatedAtMs): void {
      isStreaming = change.isStreaming ?? isStreaming;
      isReachable = change.isReachable ?? isReachable;
      // A stream whose connection is dead may look open for minutes, so a failed read overrides it.
      const state = !isReachable ? 'offline' : isStreaming ? 'live' : 'polling';
      if (state === status.state && updatedAtMs === status.updatedAtMs) return;
      const wasOffline = status.state === 'offline';
      status = { state, updatedAtMs };
      if (wasOffline && state !== 'offline') onBackOnline();
      for (const listener of listeners) listener();
    },
  };
}

/** Calls back once no read, which could miss changes, is in progress, at the latest after `firstReadsMs`; returns a function that cancels it. */
function onceIdle(client: QueryClient, callback: () => void): () => void {
  const isIdle = () => client.isFetching() === 0;
  if (isIdle()) {
    callback();
    return () => undefined;
  }
  const finish = () => {
    cancel();
    callback();
  };
  const timer = window.setTimeout(finish, firstReadsMs);
  const unsubscribe = client.getQueryCache().subscribe(() => {
    if (isIdle()) finish();
  });
  const cancel = () => {
    window.clearTimeout(timer);
    unsubscribe();
  };
  return cancel;
}

/** Probes at an interval while the hub is unreachable, and whenever the browser's network state changes. */
function watchNetwork(probe: () => void, isOffline: () => boolean): () => void {
  const timer = window.setInterval(() => {
    if (isOffline()) probe();
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

/** Reports after each read whether the hub was reachable, with the time of a successful read. */
function watchReads(
  client: QueryClient,
  onRead: (isHubReachable: boolean, readAtMs?: number) => void,
): () => void {
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { action } = event;
    // An optimistic write into the cache says nothing about whether the hub can be reached.
    if (action.type === 'success' && action.manual !== true) onRead(true, hubNow());
    else if (action.type === 'failed' || action.type === 'error') onRead(!isUnreachable(action.error));
  });
}

/** A function that checks whether the hub answers. */
function createProbe(client: QueryClient, onAnswer: (isReachable: boolean) => void): () => void {
  const probe = async () => {
    const isReachable = await answers(client);
    onAnswer(isReachable);
    // The session may have ended meanwhile.
    if (isReachable) await client.refetchQueries({ queryKey: sessionQuery.queryKey, exact: true });
  };
  return () => void probe();
}

/** Whether the hub answers a small read in time, be it with an error. */
async function answers(client: QueryClient): Promise<boolean> {
  try {
    await hubOf(client).invoke('actor_GetActor', {}, { signal: AbortSignal.timeout(probeTimeoutMs) });
    return true;
  } catch (error) {
    return !isUnreachable(error);
  }
}

// A network failure has a `cause`; the answer "not ready" of a reachable hub has none.
function isUnreachable(error: unknown): boolean {
  return error instanceof ActionError && error.kind === 'NotReady' && error.cause !== undefined;
}
