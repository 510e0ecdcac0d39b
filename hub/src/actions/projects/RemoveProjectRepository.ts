import { ActionError, ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../policy/projects.ts';

/** Removes the link between a repository and a project; any member of the project may. */
export const RemoveProjectRepository: Handler<'projects_RemoveProjectRepository', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, emit }, { projectId }) {
    const removed = await tx
      .deleteFrom('project_repositories')
      .where('project_id', '=', projectId)
      .where('repository_id', '=', ids.repository.raw(input.repositoryId))
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n)
      throw new ActionError('Invalid', 'The repository is not linked to this project.');
    emit('projects_RepositoryRemoved', { projectId: input.projectId, repositoryId: input.repositoryId });
    return {};
  },
};
