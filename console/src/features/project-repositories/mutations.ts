import { actionMutation } from '../../data/action-mutation.ts';
import { patchOf } from '../../data/optimistic.ts';
import { projectRepositoriesQuery } from '../../data/queries-repositories.ts';
import { compareNames, type Id, type Output } from '@corral/contract';

/** A repository that is linked to a project. */
export type LinkedRepository = Output<'projects_QueryProjectRepositories'>['repositories'][number];

/** Links a repository to a project; it is in the list at once, as `row`. */
export const linkRepository = (row: LinkedRepository) =>
  actionMutation('projects_AddProjectRepository', 'projects_RepositoryAdded', {
    patches: ({ projectId }) => [
      patchOf(projectRepositoriesQuery(projectId as Id<'project'>), (answer) => ({
        ...answer,
        repositories: withRow(answer.repositories, row),
      })),
    ],
  });

/** The list with a row in the hub's order, by name; as it is, if the hub has the row already. */
function withRow(rows: LinkedRepository[], row: LinkedRepository): LinkedRepository[] {
  if (rows.some(({ repositoryId }) => repositoryId === row.repositoryId)) return rows;
  const at = rows.findIndex((other) => compareNames(other.name, row.name) > 0);
  return rows.toSpliced(at === -1 ? rows.length : at, 0, row);
}

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
