import { ids } from '@corral/contract';
import { mustBeName } from '../../../auth/names.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { sessionPrincipal } from '../../users/index.ts';
import { addServiceAccount } from '../sql/service-accounts.ts';

/** Makes a service account of a repository. Its owners keep it, whoever of them made it. */
export const CreateRepositoryServiceAccount: Handler<
  'repositories_CreateRepositoryServiceAccount',
  RepositoryAccess
> = {
  async authorize({ tx, actor, input }) {
    sessionPrincipal(actor);
    return mustOwnRepository(tx, actor, input.repositoryId);
  },

  async run({ tx, input, now, emit }, { repositoryId }) {
    const name = mustBeName(input.name, 'name');
    const userId = ids.user.of(
      await addServiceAccount(tx, { kind: 'repository', id: repositoryId }, name, now),
    );
    emit('users_ServiceAccountCreated', { userId, name, repositoryId: input.repositoryId });
    return { userId };
  },
};
