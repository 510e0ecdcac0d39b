import { ActionError, ids, type DomainEvent, type Id } from '@corral/contract';
import type { Caller, Executor } from '../../executor/executor.ts';
import type { Audience } from './addressed-changes.ts';

/** What a signed-in user may see, kept up to date while a stream is open. */
export interface Viewer {
  sees(audience: Audience): boolean;
  /** Processes an event that may change what the user may see, or end the session. */
  follow(event: DomainEvent): void;
  /** Reads the permissions again; calls onEnded when the session is over. */
  refresh(): Promise<void>;
}

interface ViewerParts {
  readonly executor: Executor;
  readonly userId: Id<'user'>;
  readonly sessionId: Id<'session'>;
  /** Called, possibly more than once, when the session is over. */
  readonly onEnded: () => void;
}

const permissionEvents: ReadonlySet<string> = new Set([
  'projects_MemberAdded',
  'projects_MemberRemoved',
  'repositories_MemberAdded',
  'repositories_MemberRemoved',
  'users_SetIsAdmin',
  'users_SetPassword',
]);

/** Links between projects and repositories: they may change what the members of the project see. */
const linkEvents: ReadonlySet<string> = new Set(['projects_RepositoryAdded', 'projects_RepositoryRemoved']);

/** Creates the viewer of one stream; it sees no projects and repositories before its first refresh. */
export function createViewer(parts: ViewerParts): Viewer {
  const { userId, sessionId, onEnded } = parts;
  let isAdmin = false;
  let projectIds = new Set<string>();
  let repositoryIds = new Set<string>();
  // Projects and repositories that were deleted: their last changes must still be delivered after a refresh.
  const deletedIds = new Set<string>();
  let running: Promise<void> | undefined;
  let isStale = false;

  const reload = async (): Promise<void> => {
    do {
      isStale = false;
      const permissions = await readPermissions(parts);
      if (permissions === undefined) return onEnded();
      // The permissions changed while they were read; read them again.
      if (!isStale) ({ isAdmin, projectIds, repositoryIds } = permissions);
    } while (isStale);
  };
  const refresh = (): Promise<void> => {
    isStale = true;
    running ??= reload().finally(() => (running = undefined));
    return running;
  };
  return {
    refresh,
    sees(audience) {
      if (isAdmin || audience.kind === 'everyone') return true;
      if (audience.kind === 'project')
        return projectIds.has(audience.projectId) || deletedIds.has(audience.projectId);
      if (audience.kind === 'repository')
        return repositoryIds.has(audience.repositoryId) || deletedIds.has(audience.repositoryId);
      return audience.kind === 'user' && audience.userId === userId;
    },
    follow({ name, data }) {
      const projectId = String(data['projectId']);
      const repositoryId = String(data['repositoryId']);
      if (name === 'projects_Deleted' && projectIds.has(projectId)) deletedIds.add(projectId);
      if (name === 'repositories_Deleted' && repositoryIds.has(repositoryId)) deletedIds.add(repositoryId);
      if (linkEvents.has(name) && projectIds.has(projectId)) refresh().catch(() => undefined);
      if (data['userId'] !== userId) return;
      const isEnd =
        name === 'users_Deleted' || (name === 'users_SessionTerminated' && data['sessionId'] === sessionId);
      if (isEnd) return onEnded();
      if (!permissionEvents.has(name)) return;
      if (name === 'projects_MemberRemoved') projectIds.delete(projectId);
      if (name === 'projects_MemberAdded') projectIds.add(projectId);
      if (name === 'repositories_MemberRemoved') repositoryIds.delete(repositoryId);
      if (name === 'repositories_MemberAdded') repositoryIds.add(repositoryId);
      refresh().catch(() => undefined);
    },
  };
}

interface Permissions {
  readonly isAdmin: boolean;
  readonly projectIds: Set<string>;
  readonly repositoryIds: Set<string>;
}

/** Queries as the user itself; undefined when the session or the user no longer exists. */
async function readPermissions({
  executor,
  userId,
  sessionId,
}: ViewerParts): Promise<Permissions | undefined> {
  const caller: Caller = {
    actor: { actor: 'User', kind: 'User', userId },
    origin: { sessionId: ids.session.raw(sessionId) },
  };
  try {
    const { sessions } = await executor.invoke(caller, 'users_QueryUserSessions', { userId });
    if (!sessions.some((session) => session.sessionId === sessionId)) return undefined;
    const { isAdmin } = await executor.invoke(caller, 'users_GetUserDetails', { userId });
    const { projects } = await executor.invoke(caller, 'users_QueryUserProjects', { userId });
    const { repositories } = await executor.invoke(caller, 'users_QueryUserRepositories', {
      userId,
      includeLinked: true,
    });
    return {
      isAdmin,
      projectIds: new Set(projects.map(({ projectId }) => projectId)),
      repositoryIds: new Set(repositories.map(({ repositoryId }) => repositoryId)),
    };
  } catch (error) {
    if (error instanceof ActionError && (error.kind === 'Invalid' || error.kind === 'NotSignedIn'))
      return undefined;
    throw error;
  }
}
