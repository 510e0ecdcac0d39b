import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { readSessionPermissions } from '../../store/session-permissions.ts';

/** Returns what the users of live sessions may see, for the live views that depend on them. */
export const GetSessionPermissions: Handler<'users_GetSessionPermissions'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input, now }) {
    const asked = input.sessions.map(({ sessionId, digest }) => ({
      sessionId: ids.session.raw(sessionId),
      digest: digest ?? null,
    }));
    const found = await readSessionPermissions(tx, asked, now);
    const live = new Set(found.map(({ session_id }) => session_id));
    return {
      ended: asked.flatMap(({ sessionId }) => (live.has(sessionId) ? [] : [ids.session.of(sessionId)])),
      changed: found
        .filter(({ is_changed }) => is_changed)
        .map((row) => ({
          sessionId: ids.session.of(row.session_id),
          digest: row.digest,
          isAdmin: row.is_admin,
          projectIds: row.project_ids.map(ids.project.of),
          repositoryIds: row.repository_ids.map(ids.repository.of),
        })),
    };
  },
};
