import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { actionOf } from './action-query.ts';

/** Whether a query is being read and TanStack Query would not repeat the read, which may be older than the change. */
function isReadUnrepeated(client: QueryClient, hash: string): boolean {
  const query = client.getQueryCache().get(hash);
  return query?.state.fetchStatus === 'fetching' && (query.state.data === undefined || !query.isActive());
}

/** The pause between two refetches of a query: three times as long as the last one took, and at least this long. */
const minPauseMs = 1000;
const pausePerRead = 3;

/** Refetches cached queries. */
export interface ThrottledRefresh {
  /** Those whose keys are stale. */
  where(isStale: (key: QueryKey) => boolean): void;
  /** All that read from the hub. */
  all(): void;
}

/** Refetches stale queries at once for the first change, and once more after the pause for all that come in between. */
export function createThrottledRefresh(client: QueryClient): ThrottledRefresh {
  const throttled = new Set<string>();
  const pending = new Set<string>();
  function refresh(queryKey: QueryKey, hash: string): void {
    if (throttled.has(hash)) {
      pending.add(hash);
      return;
    }
    throttled.add(hash);
    if (isReadUnrepeated(client, hash)) pending.add(hash);
    const startedAtMs = performance.now();
    void client.invalidateQueries({ queryKey, exact: true }).finally(() => {
      const tookMs = performance.now() - startedAtMs;
      setTimeout(
        () => {
          throttled.delete(hash);
          if (pending.delete(hash)) refresh(queryKey, hash);
        },
        Math.max(minPauseMs, pausePerRead * tookMs),
      );
    });
  }
  const where = (isStale: (key: QueryKey) => boolean) => {
    for (const { queryKey, queryHash } of client.getQueryCache().findAll()) {
      if (isStale(queryKey)) refresh(queryKey, queryHash);
    }
  };
  return {
    where,
    all: () => where((key) => actionOf(key) !== undefined),
  };
}
