import { ActionError, ids, type DomainEvent, type Id } from '@corral/contract';
import type { Caller, Executor } from '../../executor/executor.ts';
import type { Audience } from './addressed-changes.ts';

/** What a signed-in user may see, kept true while it watches. */
export interface Viewer {
  sees(audience: Audience): boolean;
  /** Follows an event that may change what the user sees, or end its session. */
  follow(event: DomainEvent): void;
  /** Looks again; calls the end when the session is over. */
  refresh(): Promise<void>;
}

interface ViewerParts {
  readonly executor: Executor;
  readonly userId: Id<'user'>;
  readonly sessionId: Id<'session'>;
  /** Called, maybe more than once, when the session is over. */
  readonly onEnded: () => void;
}

const mayChangeSight: ReadonlySet<string> = new Set([
  'projects_MemberAdded',
  'projects_MemberRemoved',
  'users_SetIsAdmin',
  'users_SetPassword',
]);

/** Builds the viewer of one stream; it sees nothing of projects before its first refresh. */
export function createViewer(parts: ViewerParts): Viewer {
  const { userId, sessionId, onEnded } = parts;
  let isAdmin = false;
  let projectIds = new Set<string>();
  // Whose end is still to be told when a look has already missed them.
  const deletedIds = new Set<string>();
  let running: Promise<void> | undefined;
  let isStale = false;

  const look = async (): Promise<void> => {
    do {
      isStale = false;
      const sight = await readSight(parts);
      if (sight === undefined) return onEnded();
      // What was read while something changed is no use; it is read again.
      if (!isStale) ({ isAdmin, projectIds } = sight);
    } while (isStale);
  };
  const refresh = (): Promise<void> => {
    isStale = true;
    running ??= look().finally(() => (running = undefined));
    return running;
  };
  return {
    refresh,
    sees(audience) {
      if (isAdmin || audience.kind === 'everyone') return true;
      if (audience.kind === 'project')
        return projectIds.has(audience.projectId) || deletedIds.has(audience.projectId);
      return audience.kind === 'user' && audience.userId === userId;
    },
    follow({ name, data }) {
      const projectId = String(data['projectId']);
      if (name === 'projects_Deleted' && projectIds.has(projectId)) deletedIds.add(projectId);
      if (data['userId'] !== userId) return;
      const isEnd =
        name === 'users_Deleted' || (name === 'users_SessionTerminated' && data['sessionId'] === sessionId);
      if (isEnd) return onEnded();
      if (!mayChangeSight.has(name)) return;
      if (name === 'projects_MemberRemoved') projectIds.delete(projectId);
      if (name === 'projects_MemberAdded') projectIds.add(projectId);
      refresh().catch(() => undefined);
    },
  };
}

interface Sight {
  readonly isAdmin: boolean;
  readonly projectIds: Set<string>;
}

/** Asks as the user itself; undefined when its session, or the user, is no more. */
async function readSight({ executor, userId, sessionId }: ViewerParts): Promise<Sight | undefined> {
  const caller: Caller = {
    actor: { actor: 'User', kind: 'User', userId },
    origin: { sessionId: ids.session.raw(sessionId) },
  };
  try {
    const { sessions } = await executor.invoke(caller, 'users_QueryUserSessions', { userId });
    if (!sessions.some((session) => session.sessionId === sessionId)) return undefined;
    const { isAdmin } = await executor.invoke(caller, 'users_GetUserDetails', { userId });
    const { projects } = await executor.invoke(caller, 'users_QueryUserProjects', { userId });
    return { isAdmin, projectIds: new Set(projects.map(({ projectId }) => projectId)) };
  } catch (error) {
    if (error instanceof ActionError && (error.kind === 'Invalid' || error.kind === 'NotSignedIn'))
      return undefined;
    throw error;
  }
}
