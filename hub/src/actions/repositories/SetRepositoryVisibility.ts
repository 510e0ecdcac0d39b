import type { Handler } from '../../executor/handler.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../policy/repositories.ts';

/** Makes a repository public or private. */
export const SetRepositoryVisibility: Handler<'repositories_SetRepositoryVisibility', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnRepository(tx, actor, input.repositoryId),

  async run({ tx, input, emit }, { repositoryId }) {
    const { visibility } = input;
    const changed = await tx
      .updateTable('repositories')
      .set({ visibility })
      .where('repository_id', '=', repositoryId)
      .where('visibility', '<>', visibility)
      .executeTakeFirst();
    if (changed.numUpdatedRows > 0n)
      emit('repositories_VisibilityChanged', { repositoryId: input.repositoryId, visibility });
    return {};
  },
};
