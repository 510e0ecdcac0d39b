import { actionMutation } from '../../data/action-mutation.ts';
import { patchOf } from '../../data/optimistic.ts';
import { projectRepositoriesQuery } from '../../data/queries-repositories.ts';
import type { Id, Output } from '@corral/contract';

/** A repository that is linked to a project. */
export type LinkedRepository = Output<'projects_QueryProjectRepositories'>['repositories'][number];

/** Links a repository to a project. */
export const linkRepository = actionMutation('projects_AddProjectRepository', 'projects_RepositoryAdded');

/** Unlinks a repository from a project; it leaves the list at once. */
export const unlinkRepository = actionMutation(
  'projects_RemoveProjectRepository',
  'projects_RepositoryRemoved',
  {
    patches: ({ projectId, repositoryId }) => [
      patchOf(projectRepositoriesQuery(projectId as Id<'project'>), (answer) => ({
        ...answer,
        repositories: answer.repositories.filter((one) => one.repositoryId !== repositoryId),
      })),
    ],
  },
);
