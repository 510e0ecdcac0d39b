import type { Handler } from '../../../calls/handler.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { listPublishers, readRefusals } from '../sql/publishers.ts';

/** Returns the publishers of a repository, the issuers that it may name, and the last refusals. */
export const GetPublishers: Handler<'repositories_GetPublishers', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnRepository(tx, actor, input.repositoryId),

  run: async ({ tx, ciIssuers, origins }, { repositoryId }) => ({
    audience: origins.console,
    issuers: [...ciIssuers.list()],
    publishers: await listPublishers(tx, repositoryId),
    refusals: await readRefusals(tx, repositoryId),
  }),
};
