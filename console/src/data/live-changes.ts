import { liveTopics, queryTopics, type LiveChange } from '@corral/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { actionOf } from './action-query.ts';

const scopes = ['projectId', 'deviceId', 'userId', 'repositoryId'] as const;

/**
 * Whether a change can have made the answer under a key old. An id that both name must be the same; an id that only one of
 * them names does not tell them apart.
 */
export function isStaleAfter(key: QueryKey, change: LiveChange): boolean {
  const action = actionOf(key);
  if (action === undefined) return false;
  return (
    topicsOf(action.name).includes(change.topic) &&
    scopes.every((scope) => {
      const asked = action.input[scope];
      const changed = change[scope];
      // The user of a list of projects is its reader, and not the one whose deed the change tells of.
      if (scope === 'userId' && action.name === 'users_QueryUserProjects') return true;
      return asked === undefined || changed === undefined || asked === changed;
    })
  );
}

function topicsOf(name: string): readonly string[] {
  return Object.hasOwn(queryTopics, name) ? queryTopics[name as keyof typeof queryTopics] : [];
}

function isTopic(topic: unknown): boolean {
  return liveTopics.some((known) => known === topic);
}

/** Reads a change from the wire; undefined for anything else, such as a topic of a newer hub that has no name here. */
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
 * Reads again what changes have made old. A query that is being read for an earlier change is read once more afterwards and
 * not interrupted, so that a storm of changes neither starves a page nor is forgotten.
 */
export function createLiveRefresher(client: QueryClient): {
  apply(change: LiveChange): void;
  all(): void;
} {
  const running = new Set<string>();
  const again = new Set<string>();
  function refresh(queryKey: QueryKey, hash: string): void {
    if (running.has(hash)) {
      again.add(hash);
      return;
    }
    running.add(hash);
    void client.invalidateQueries({ queryKey, exact: true }).finally(() => {
      running.delete(hash);
      if (again.delete(hash)) refresh(queryKey, hash);
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
