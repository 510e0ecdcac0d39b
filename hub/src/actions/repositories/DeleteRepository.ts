import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../policy/repositories.ts';
import { deleteRepositories } from '../../store/repository-deletion.ts';

/** Deletes a repository with everything in it, locked tags included. */
export const DeleteRepository: Handler<'repositories_DeleteRepository', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnRepository(tx, actor, input.repositoryId),

  async run({ tx, input, emit }, { repositoryId }) {
    const [deleted] = await deleteRepositories(tx, [repositoryId]);
    if (deleted === undefined) throw notFound('Repository');
    emit('repositories_Deleted', { repositoryId: input.repositoryId, name: deleted.name });
    return {};
  },
};
