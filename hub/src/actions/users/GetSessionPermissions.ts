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
    const live = new Set(found.flatMap((row) => row.session_ids));
    return {
      ended: asked.flatMap(({ sessionId }) => (live.has(sessionId) ? [] : [ids.session.of(sessionId)])),
      changed: found
        .filter((row) => row.is_changed)
        .map(({ user_id, digest, is_admin: isAdmin, project_ids, repository_ids }) => ({
          userId: ids.user.of(user_id),
          digest,
          ...(project_ids === null || repository_ids === null
            ? {}
            : {
                seen: {
                  isAdmin,
                  projectIds: project_ids.map(ids.project.of),
                  repositoryIds: repository_ids.map(ids.repository.of),
                },
              }),
        })),
    };
  },
};
