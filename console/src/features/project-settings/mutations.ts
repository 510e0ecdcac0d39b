import { actionMutation } from '../../data/action-mutation.ts';

/** Renames a project. */
export const renameProject = actionMutation('projects_SetName', 'projects_NameChanged');

/** Names the fields that are the versions of a project's devices. */
export const setVersionFields = actionMutation('projects_SetVersionFields', 'projects_VersionFieldsChanged');

/** Says which operations need a second person. */
export const setPolicies = actionMutation('projects_SetPolicies', 'projects_PoliciesChanged');

/** Says who may open terminals on the devices of a project. */
export const setTerminalPolicy = actionMutation(
  'projects_SetTerminalPolicy',
  'projects_TerminalPolicyChanged',
);

/** Deletes a project with everything in it. */
export const deleteProject = actionMutation('projects_DeleteProject', 'projects_Deleted', {
  deletes: ({ projectId }) => projectId,
});
