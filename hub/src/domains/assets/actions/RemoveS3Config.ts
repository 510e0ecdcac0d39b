import type { Handler } from '../../../calls/handler.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { currentObjectStore, retireCurrentStore } from '../sql/object-stores.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';

/** Has new assets of a repository go to the store of the instance again. */
export const RemoveS3Config: Handler<'repositories_RemoveS3Config', RepositoryAccess> = {
  async authorize(context) {
    const access = await mustOwnRepository(context.tx, context.actor, context.input.repositoryId);
    mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, now, input, emit }, { repositoryId }) {
    if ((await currentObjectStore(tx, repositoryId)) === undefined) return {};
    await retireCurrentStore(tx, repositoryId, now);
    emit('repositories_StoreChanged', { repositoryId: input.repositoryId });
    return {};
  },
};
