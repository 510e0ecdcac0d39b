import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { announceEndedLinks, endUnconfirmedLinks } from '../../projects/index.ts';
import { mustOwnRepository, type RepositoryAccess } from '../policy/repositories.ts';

/** Makes a repository public or private. With the visibility end the links to projects that none of its owners made or confirmed. */
export const SetRepositoryVisibility: Handler<'repositories_SetRepositoryVisibility', RepositoryAccess> = {
  async authorize(context) {
    const { tx, actor, input } = context;
    const access = await mustOwnRepository(tx, actor, input.repositoryId);
    // What was public once stays known.
    if (input.visibility === 'Public') mustBeSteppedUp(context);
    return access;
  },

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
