import type { DomainEvent, Id, Output } from '@corral/contract';
import type { Executor } from '../../executor/executor.ts';
import { systemCaller } from '../../executor/system-caller.ts';
import type { Audience } from './addressed-changes.ts';

/** What a signed-in user may see, kept up to date while a stream is open. */
export interface Viewer {
  readonly sessionId: Id<'session'>;
  /** The digest of the permissions that were read last; undefined before the first read. */
  digest(): string | undefined;
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
  let seen: VisibleIds = {
    digest: undefined,
    isAdmin: false,
    projectIds: new Set(),
    repositoryIds: new Set(),
  };
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
      if (!isStale) seen = seenOf(permissions);
    } while (isStale);
  };
  const refresh = (): Promise<void> => {
    isStale = true;
    running ??= reload().finally(() => (running = undefined));
    return running;
  };
  return {
    sessionId,
    digest: () => seen.digest,
    refresh,
    sees: (audience) =>
      isSeen(seen, deletedIds, audience) || (audience.kind === 'user' && audience.userId === userId),
    follow({ name, data }) {
      const { projectIds, repositoryIds } = seen;
      const projectId = String(data['projectId']);
      const repositoryId = String(data['repositoryId']);
      if (name === 'projects_Deleted' && projectIds.has(projectId)) keep(deletedIds, projectId);
      if (name === 'repositories_Deleted' && repositoryIds.has(repositoryId)) keep(deletedIds, repositoryId);
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

/** More than are deleted between an event and the delivery of its changes, 100 ms later. */
const keptDeletedIds = 1_000;

function keep(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > keptDeletedIds && oldest !== undefined) ids.delete(oldest);
}

type Permissions = Output<'users_GetSessionPermissions'>['changed'][number];

interface VisibleIds {
  readonly digest: string | undefined;
  readonly isAdmin: boolean;
  readonly projectIds: Set<string>;
  readonly repositoryIds: Set<string>;
}

function seenOf({ digest, isAdmin, projectIds, repositoryIds }: Permissions): VisibleIds {
  return { digest, isAdmin, projectIds: new Set(projectIds), repositoryIds: new Set(repositoryIds) };
}

/** Whether the audience is everyone, or a project or repository that is or was seen; administrators see all. */
function isSeen(
  { isAdmin, projectIds, repositoryIds }: VisibleIds,
  deletedIds: ReadonlySet<string>,
  audience: Audience,
): boolean {
  if (isAdmin || audience.kind === 'everyone') return true;
  if (audience.kind === 'project')
    return projectIds.has(audience.projectId) || deletedIds.has(audience.projectId);
  return (
    audience.kind === 'repository' &&
    (repositoryIds.has(audience.repositoryId) || deletedIds.has(audience.repositoryId))
  );
}

/** Undefined when the session or the user no longer exists. */
async function readPermissions({ executor, sessionId }: ViewerParts): Promise<Permissions | undefined> {
  const { changed } = await executor.invoke(systemCaller, 'users_GetSessionPermissions', {
    sessions: [{ sessionId }],
  });
  return changed[0];
}

/** How many sessions one statement checks. */
const sessionsAtOnce = 1000;

/** Refreshes each viewer whose session has ended or whose permissions have changed, because events may be lost. */
export async function refreshChanged(executor: Executor, viewers: readonly Viewer[]): Promise<void> {
  for (let from = 0; from < viewers.length; from += sessionsAtOnce) {
    const batch = viewers.slice(from, from + sessionsAtOnce);
    const sessions = batch.map(({ sessionId, digest }) => ({ sessionId, digest: digest() }));
    const { ended, changed } = await executor.invoke(systemCaller, 'users_GetSessionPermissions', {
      sessions,
    });
    const concerned = new Set<string>([...ended, ...changed.map(({ sessionId }) => sessionId)]);
    await Promise.all(
      batch.filter(({ sessionId }) => concerned.has(sessionId)).map((viewer) => viewer.refresh()),
    );
  }
}
