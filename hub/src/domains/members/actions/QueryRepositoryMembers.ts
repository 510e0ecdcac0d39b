import type { Handler } from '../../../calls/handler.ts';
import { mustSeeMembers, type RepositoryAccess } from '../../repositories/index.ts';
import { readMembers } from '../sql/member-pages.ts';

/** Lists the members of a repository for its members: owners first, then by e-mail address. */
export const QueryRepositoryMembers: Handler<'repositories_QueryRepositoryMembers', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeMembers(tx, actor, input.repositoryId),

  async run({ tx, input }, { repositoryId }) {
    const { items, more } = await readMembers(tx, { kind: 'repository', id: repositoryId }, input);
    return { members: items, ...more };
  },
};
