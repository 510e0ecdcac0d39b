import { liveTopics, queryTopics, type LiveChange } from '@corral/contract';
import type { QueryKey } from '@tanstack/react-query';
import { actionOf } from './action-query.ts';
import { configQuery } from './queries-account.ts';

// They answer with the projects and repositories that the reader is a member of.
const membershipQueries: readonly string[] = ['users_QueryUserProjects', 'users_QueryUserRepositories'];
const scopes = ['projectId', 'deviceId', 'userId', 'repositoryId'] as const;

/** Whether a change makes the cached answer of a query stale: ids that both contain must be equal. */
export function isStaleAfter(key: QueryKey, change: LiveChange): boolean {
  // It contains some of the settings of the instance.
  if (key[0] === configQuery.queryKey[0]) return change.topic === 'settings';
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
