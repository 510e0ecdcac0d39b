import type { ActionName, LiveChange, LiveTopic } from '@corral/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { actionOf } from './action-query.ts';

const presence: readonly ActionName[] = [
  'projects_QueryProjectDevices',
  'devices_GetDeviceDetails',
  'projects_GetProjectDetails',
  'users_QueryUserProjects',
];

/** The reads whose answers a change of a topic can have made old. */
const readsOf: Readonly<Record<LiveTopic, readonly ActionName[]>> = {
  projects: ['users_QueryUserProjects', 'projects_GetProjectDetails', 'projects_QueryProjects'],
  // A new device has used a token.
  devices: [...presence, 'projects_QueryProjectDeploymentTokens'],
  certificates: presence,
  connections: [...presence, 'devices_QueryConnections'],
  events: ['devices_QueryDeviceEvents'],
  properties: ['devices_QueryDeviceProperties', 'devices_GetDeviceDetails'],
  members: ['projects_QueryProjectMembers', 'projects_GetProjectDetails', 'users_QueryUserProjects'],
  invitations: [
    'projects_QueryProjectInvitations',
    'users_QueryUserProjectInvitations',
    'users_QueryUserRepositoryInvitations',
  ],
  tokens: ['projects_QueryProjectDeploymentTokens', 'projects_GetProjectDetails', 'users_QueryUserTokens'],
  sessions: ['users_QueryUserSessions'],
  users: ['users_GetUserDetails', 'users_QueryUsers', 'projects_QueryProjectMembers'],
  log: ['projects_QueryAuditLog', 'audit_QueryAuditLogEvents', 'audit_QueryAuditLogActions'],
  cluster: ['cluster_GetClusterDetails'],
  repositories: ['users_QueryUserRepositories', 'projects_QueryProjectRepositories'],
};

const scopes = ['projectId', 'deviceId', 'userId', 'repositoryId'] as const;

/**
 * Whether a change can have made the answer under a key old. An id that both name must be the same; an id that only one of
 * them names does not tell them apart.
 */
export function isStaleAfter(key: QueryKey, change: LiveChange): boolean {
  const action = actionOf(key);
  if (action === undefined) return false;
  const reads: readonly string[] = readsOf[change.topic] ?? [];
  return (
    reads.includes(action.name) &&
    scopes.every((scope) => {
      const asked = action.input[scope];
      const changed = change[scope];
      // The user of a list of projects is its reader, and not the one whose deed the change tells of.
      if (scope === 'userId' && action.name === 'users_QueryUserProjects') return true;
      return asked === undefined || changed === undefined || asked === changed;
    })
  );
}

/** Reads a change from the wire; undefined for anything else, such as a topic of a newer hub that has no name here. */
export function parseLiveChange(data: string): LiveChange | undefined {
  try {
    const value: unknown = JSON.parse(data);
    const topic = (value as { topic?: unknown } | null)?.topic;
    return typeof topic === 'string' && Object.hasOwn(readsOf, topic) ? (value as LiveChange) : undefined;
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
