import { compareNames, type Id, type Output } from '@corral/contract';
import { actionMutation } from '../../data/action-mutation.ts';
import { patchOf } from '../../data/optimistic.ts';
import { projectRepositoriesQuery } from '../../data/queries-repositories.ts';
import { unsavedRow } from '../../ui/table/unsaved-row.ts';

/** A repository that is linked to a project. */
export type LinkedRepository = Output<'projects_QueryProjectRepositories'>['repositories'][number];

const without = (rows: readonly LinkedRepository[], id: string) =>
  rows.filter(({ repositoryId }) => repositoryId !== id);

const patchLinked =
  (change: (rows: LinkedRepository[], id: string) => LinkedRepository[]) =>
  ({ projectId, repositoryId }: { projectId: string; repositoryId: string }) => [
    patchOf(projectRepositoriesQuery(projectId as Id<'project'>), (answer) => ({
      ...answer,
      repositories: change(answer.repositories, repositoryId),
    })),
  ];

/** Links a repository to a project; it is in the list at once, by its name as the hub orders it, as `row` if the hub has it not yet. */
export const linkRepository = (row: LinkedRepository) =>
  actionMutation('projects_AddProjectRepository', 'projects_RepositoryAdded', {
    patches: patchLinked((rows, id) =>
      rows.some(({ repositoryId }) => repositoryId === id)
        ? rows
        : [...rows, unsavedRow(row)].toSorted((one, other) => compareNames(one.name, other.name)),
    ),
  });

/** Unlinks a repository from a project; it leaves the list at once. */
export const unlinkRepository = actionMutation(
  'projects_RemoveProjectRepository',
  'projects_RepositoryRemoved',
  { patches: patchLinked(without) },
);
