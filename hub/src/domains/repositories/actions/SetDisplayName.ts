import { ActionError } from '@corral/contract';
import { mustBeRepositoryName } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustOwnRepository, type RepositoryAccess } from '../policy/repositories.ts';
import { renameRepository } from '../sql/repository-names.ts';

/** Renames a repository: it has one name, which is also its slug. */
export const SetDisplayName: Handler<'repositories_SetDisplayName', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnRepository(tx, actor, input.repositoryId),

  async run({ tx, input, now, emit }, { repositoryId }) {
    const name = mustBeRepositoryName(input.displayName);
    const outcome = await renameRepository(tx, repositoryId, name, now);
    if (outcome === 'Gone') throw notFound('Repository');
    if (outcome === 'Taken')
      throw new ActionError('Invalid', `There is a repository named ${name} already. Choose another name.`);
    if (outcome === 'Renamed') emit('repositories_NameChanged', { repositoryId: input.repositoryId, name });
    return {};
  },
};
