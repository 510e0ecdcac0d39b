import type { Handler } from '../../../calls/handler.ts';
import { mustSeeMembers, type RepositoryAccess } from '../../repositories/index.ts';
import { readServiceAccounts } from '../sql/service-accounts.ts';

/** Lists the service accounts of a repository, for its members. */
export const QueryRepositoryServiceAccounts: Handler<
  'repositories_QueryRepositoryServiceAccounts',
  RepositoryAccess
> = {
  authorize: ({ tx, actor, input }) => mustSeeMembers(tx, actor, input.repositoryId),
  run: ({ tx, input }, { repositoryId }) =>
    readServiceAccounts(tx, { kind: 'repository', id: repositoryId }, input),
};
