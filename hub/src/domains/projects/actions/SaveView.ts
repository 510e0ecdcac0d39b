import { ActionError, ids, maxSavedViews, nameProblem } from '@corral/contract';
import { mustHaveNoProblem } from '../../../auth/input-problems.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProjectAsPerson } from '../policy/projects.ts';
import { saveView, type ViewsOwner } from '../sql/saved-views.ts';

/** Saves a view of the caller; the name is trimmed. The filter may have mistakes, as the one that is shown. */
export const SaveView: Handler<'projects_SaveView', ViewsOwner> = {
  authorize: ({ tx, actor, input }) => mustSeeProjectAsPerson(tx, actor, input.projectId),

  async run({ tx, input: { projectId, ...view }, emit }, owner) {
    mustHaveNoProblem(nameProblem(view.name, 'viewName'));
    const result = await saveView(tx, owner, { ...view, name: view.name.trim() });
    if (result === undefined)
      throw new ActionError(
        'Invalid',
        `You may save at most ${maxSavedViews} views of a project. Delete some first.`,
      );
    emit('projects_SavedViewsChanged', { projectId, userId: ids.user.of(owner.userId) });
    return { result };
  },
};
