import type { Handler } from '../../../calls/handler.ts';
import { announceEndedLinks, endUnconfirmedLinks } from '../../projects/index.ts';
import { mustOwnRepository, type RepositoryAccess } from '../policy/repositories.ts';

/** Makes a repository public or private. With the visibility end the links to projects that none of its owners made or confirmed. */
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
    if (changed.numUpdatedRows === 0n) return {};
    if (visibility === 'Private') await announceEndedLinks(await endUnconfirmedLinks(tx, repositoryId), emit);
    emit('repositories_VisibilityChanged', { repositoryId: input.repositoryId, visibility });
    return {};
  },
};
