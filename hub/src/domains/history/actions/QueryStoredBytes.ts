import type { Handler } from '../../../calls/handler.ts';
import { mustReadRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { frameOf, hourlyCuts } from '../sql/read-history.ts';
import { readStoredBytes } from '../sql/read-stored-bytes.ts';

/** Returns what a repository stored, and what the hub served of it, over time. */
export const QueryStoredBytes: Handler<'repositories_QueryStoredBytes', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustReadRepository(tx, actor, input.repositoryId),

  run: ({ tx, input: { range }, now }, { repositoryId }) =>
    readStoredBytes(tx, repositoryId, frameOf(range, now, hourlyCuts)),
};
