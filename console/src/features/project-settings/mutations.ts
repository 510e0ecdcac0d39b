import { actionMutation } from '../../data/action-mutation.ts';

/** Deletes a project with everything in it. */
export const deleteProject = actionMutation('projects_DeleteProject', 'projects_Deleted', {
  deletes: ({ projectId }) => projectId,
});
