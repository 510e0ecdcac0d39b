import { ActionError } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustUnlink } from '../policy/project-links.ts';
import type { ProjectLink } from '../sql/project-links.ts';

/** Removes the link between a repository and a project; any member of the project may, and any owner of the repository. */
export const RemoveProjectRepository: Handler<'projects_RemoveProjectRepository', ProjectLink> = {
  authorize: ({ tx, actor, input }) => mustUnlink(tx, actor, input),

  async run({ tx, input, emit }, { projectId, repositoryId }) {
    const removed = await tx
      .deleteFrom('project_repositories')
      .where('project_id', '=', projectId)
      .where('repository_id', '=', repositoryId)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n)
      throw new ActionError('Invalid', 'The repository is not linked to this project.');
    emit('projects_RepositoryRemoved', { projectId: input.projectId, repositoryId: input.repositoryId });
    return {};
  },
};
