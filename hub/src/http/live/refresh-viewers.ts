import type { Id } from '@corral/contract';
import { forEachConcurrently } from '../../concurrency/for-each-concurrently.ts';
import type { Executor } from '../../executor/executor.ts';
import { systemCaller } from '../../executor/system-caller.ts';
import type { Viewer } from './viewer.ts';

/** How many sessions one statement checks. */
const sessionsAtOnce = 1000;
/** How many lists of permissions are read at a time. */
const readsAtOnce = 4;
const loadAttempts = 3;

interface AskedSession {
  readonly viewer: Viewer;
  readonly sessionId: Id<'session'>;
}

/** Ends the streams whose sessions have ended, and reads the permissions of viewers where they have changed. */
export async function refreshViewers(executor: Executor, viewers: Iterable<Viewer>): Promise<void> {
  const asked = [...viewers].flatMap(sessionsOf);
  for (let from = 0; from < asked.length; from += sessionsAtOnce) {
    const changed = await ask(executor, asked.slice(from, from + sessionsAtOnce), true);
    await forEachConcurrently(changed, readsAtOnce, async (viewer) => {
      await ask(executor, sessionsOf(viewer).slice(0, 1), false);
    });
  }
}

/** Reads the permissions of a viewer first. If they change all the time, the next refresh has them. */
export async function loadViewer(executor: Executor, viewer: Viewer): Promise<void> {
  for (let attempt = 0; attempt < loadAttempts && viewer.digest === undefined; attempt += 1)
    await ask(executor, sessionsOf(viewer), false);
  viewer.digest ??= '';
}

function sessionsOf(viewer: Viewer): AskedSession[] {
  const sessionIds = new Set([...viewer.watchers].map(({ sessionId }) => sessionId));
  return [...sessionIds].map((sessionId) => ({ viewer, sessionId }));
}

/** Asks about sessions, and what their users see; with `isCheck` only who sees something else than before, who are returned. */
async function ask(executor: Executor, asked: readonly AskedSession[], isCheck: boolean): Promise<Viewer[]> {
  const versions = new Map(asked.map(({ viewer }) => [viewer, viewer.version]));
  const viewers = new Map(asked.map(({ viewer }) => [viewer.userId, viewer]));
  const { ended, changed } = await executor.invoke(systemCaller, 'users_GetSessionPermissions', {
    sessions: asked.map(({ viewer: { digest }, sessionId }) => ({
      sessionId,
      ...(isCheck && digest !== undefined ? { digest } : {}),
    })),
  });
  endWatchers(asked, new Set(ended));
  const toRead: Viewer[] = [];
  for (const { userId, digest, seen } of changed) {
    const viewer = viewers.get(userId);
    if (viewer === undefined) continue;
    if (seen === undefined) toRead.push(viewer);
    else if (versions.get(viewer) === viewer.version) viewer.replace(digest, seen);
  }
  return toRead;
}

function endWatchers(asked: readonly AskedSession[], ended: ReadonlySet<Id<'session'>>): void {
  for (const { viewer, sessionId } of asked) {
    if (!ended.has(sessionId)) continue;
    for (const watcher of viewer.watchers) if (watcher.sessionId === sessionId) watcher.onEnded();
  }
}
