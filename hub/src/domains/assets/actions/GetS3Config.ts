import { ActionError } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { currentObjectStore, toStoreOutput } from '../sql/object-stores.ts';

/** Returns the S3-compatible store of a repository, in the shape of the clients of 2026. */
export const GetS3Config: Handler<'repositories_GetS3Config', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnRepository(tx, actor, input.repositoryId),

  async run({ tx }, { repositoryId }) {
    const store = await currentObjectStore(tx, repositoryId);
    if (store === undefined)
      throw new ActionError('Invalid', 'The repository has no S3-compatible store of its own.');
    return { s3Config: toStoreOutput(store) };
  },
};
