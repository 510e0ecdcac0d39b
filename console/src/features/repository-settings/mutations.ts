import { actionMutation } from '../../data/action-mutation.ts';
import { patchOf } from '../../data/optimistic.ts';
import { repositoryQuery } from '../../data/queries-repositories.ts';
import type { Id } from '@corral/contract';

/** Makes a repository public or private, optimistically. */
export const setVisibility = actionMutation(
  'repositories_SetRepositoryVisibility',
  'repositories_VisibilityChanged',
  {
    patches: ({ repositoryId, visibility }) => [
      patchOf(repositoryQuery(repositoryId as Id<'repository'>), (repository) => ({
        ...repository,
        visibility,
      })),
    ],
  },
);

/** Renames a repository: its name is its slug and its display name. It fails with a sentence if the name is taken. */
export const renameRepository = actionMutation('repositories_SetDisplayName', 'repositories_NameChanged');

/** Confirms the link of a project, so that it stays when the repository becomes private. */
export const confirmLink = actionMutation('projects_AddProjectRepository', 'projects_RepositoryAdded');

/** Unlinks a project from a repository, whoever linked it. */
export const unlinkProject = actionMutation('projects_RemoveProjectRepository', 'projects_RepositoryRemoved');

/** Sets the quotas of a repository; an absent one is none. For administrators. */
export const setQuota = actionMutation('repositories_SetQuota', 'repositories_QuotaChanged');

/** Deletes a repository with everything in it. */
export const deleteRepository = actionMutation('repositories_DeleteRepository', 'repositories_Deleted', {
  deletes: ({ repositoryId }) => repositoryId,
});
