import { liveTopics, queryTopics, type LiveChange } from '@corral/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { actionOf } from './action-query.ts';

// Lists of what a user is a member of.
const readersOwn: readonly string[] = ['users_QueryUserProjects', 'users_QueryUserRepositories'];
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
      if (scope === 'userId' && readersOwn.includes(action.name)) return true;
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

/** At least this long a query rests after it was refetched, and three times as long as the refetch took. */
const restMs = 1000;
const restPerRead = 3;

/**
 * Refetches the queries that changes make stale: at once for the first change, and once more, after a rest, for all that come during the
 * refetch and the rest. So a burst of changes is not lost, and a storm of changes neither blocks the page nor occupies the hub.
 */
export function createLiveRefresher(client: QueryClient): {
  apply(change: LiveChange): void;
  all(): void;
} {
  const busy = new Set<string>();
  const again = new Set<string>();
  function refresh(queryKey: QueryKey, hash: string): void {
    if (busy.has(hash)) {
      again.add(hash);
      return;
    }
    busy.add(hash);
    const startedAtMs = performance.now();
    void client.invalidateQueries({ queryKey, exact: true }).finally(() => {
      const tookMs = performance.now() - startedAtMs;
      setTimeout(
        () => {
          busy.delete(hash);
          if (again.delete(hash)) refresh(queryKey, hash);
        },
        Math.max(restMs, restPerRead * tookMs),
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
