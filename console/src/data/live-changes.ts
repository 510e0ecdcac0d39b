import { liveTopics, queryTopics, type LiveChange } from '@corral/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { actionOf } from './action-query.ts';

// They answer with the projects and repositories that the reader is a member of.
const membershipQueries: readonly string[] = ['users_QueryUserProjects', 'users_QueryUserRepositories'];
const scopes = ['projectId', 'deviceId', 'userId', 'repositoryId'] as const;

/**
 * Whether a change makes the cached answer of a query stale. Ids that both contain must be equal; an id that only one of them
 * contains is ignored.
 */
export function isStaleAfter(key: QueryKey, change: LiveChange): boolean {
  const action = actionOf(key);
  if (action === undefined) return false;
  return (
    topicsOf(action.name).includes(change.topic) &&
    scopes.every((scope) => {
      const queried = action.input[scope];
      const changed = change[scope];
      // The user of this query is the reader, while the user of a change is the one who was changed.
      if (scope === 'userId' && membershipQueries.includes(action.name)) return true;
      return queried === undefined || changed === undefined || queried === changed;
    })
  );
}

function topicsOf(name: string): readonly string[] {
  return Object.hasOwn(queryTopics, name) ? queryTopics[name as keyof typeof queryTopics] : [];
}

function isTopic(topic: unknown): boolean {
  return liveTopics.some((known) => known === topic);
}

/** Parses a change; undefined for anything else, such as a topic of a newer hub that this console does not know. */
export function parseLiveChange(data: string): LiveChange | undefined {
  try {
    const value: unknown = JSON.parse(data);
    const topic = (value as { topic?: unknown } | null)?.topic;
    return isTopic(topic) ? (value as LiveChange) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a query is being read and an invalidation would not repeat the read: TanStack Query continues a first read, and reads only what is
 * shown. Such a read may be older than the change.
 */
function isReadUnrepeated(client: QueryClient, hash: string): boolean {
  const query = client.getQueryCache().get(hash);
  return query?.state.fetchStatus === 'fetching' && (query.state.data === undefined || !query.isActive());
}

/** The pause between two refetches of a query: three times as long as the last one took, and at least this long. */
const minPauseMs = 1000;
const pausePerRead = 3;

/**
 * Refetches the queries that changes make stale, throttled: at once for the first change, and once more after the pause for all
 * changes that come in between. So no change is lost, and many changes neither block the page nor load the hub.
 */
export function createLiveRefresher(client: QueryClient): {
  apply(change: LiveChange): void;
  all(): void;
} {
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
  const refreshWhere = (isStale: (key: QueryKey) => boolean) => {
    for (const { queryKey, queryHash } of client.getQueryCache().findAll()) {
      if (isStale(queryKey)) refresh(queryKey, queryHash);
    }
  };
  return {
    apply: (change) => refreshWhere((key) => isStaleAfter(key, change)),
    all: () => refreshWhere((key) => actionOf(key) !== undefined),
  };
}
