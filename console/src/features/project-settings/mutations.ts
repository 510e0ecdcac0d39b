import { actionMutation } from '../../data/action-mutation.ts';

/** Renames a project. */
export const renameProject = actionMutation('projects_SetName', 'projects_NameChanged');

/** Names the fields that are the versions of a project's devices. */
export const setVersionFields = actionMutation('projects_SetVersionFields', 'projects_VersionFieldsChanged');

/** Deletes a project with everything in it. */
export const deleteProject = actionMutation('projects_DeleteProject', 'projects_Deleted', {
  deletes: ({ projectId }) => projectId,
});
