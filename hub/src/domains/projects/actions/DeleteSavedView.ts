import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustSeeProjectAsPerson } from '../policy/projects.ts';
import type { ViewsOwner } from '../sql/saved-views.ts';

/** Deletes a view of the caller. */
export const DeleteSavedView: Handler<'projects_DeleteSavedView', ViewsOwner> = {
  authorize: ({ tx, actor, input }) => mustSeeProjectAsPerson(tx, actor, input.projectId),

  async run({ tx, input, emit }, { projectId, userId }) {
    const deleted = await tx
      .deleteFrom('saved_views')
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .where('name', '=', input.name.trim())
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) throw notFound('View');
    emit('projects_SavedViewsChanged', { projectId: input.projectId, userId: ids.user.of(userId) });
    return {};
  },
};
