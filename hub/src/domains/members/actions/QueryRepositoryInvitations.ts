import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustWriteRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { readSentInvitations } from '../sql/invitation-lists.ts';

/** Lists the pending invitations to a repository for its members, newest first. */
export const QueryRepositoryInvitations: Handler<
  'repositories_QueryRepositoryInvitations',
  RepositoryAccess
> = {
  authorize: ({ tx, actor, input }) => mustWriteRepository(tx, actor, input.repositoryId),

  async run({ tx, input, now }, { repositoryId }) {
    const scope = { kind: 'repository', id: repositoryId } as const;
    const { items, more } = await readSentInvitations(tx, scope, input, now);
    const invitations = items.map(({ rawId, ...item }) => ({
      invitationId: ids.repositoryInvitation.of(rawId),
      ...item,
    }));
    return { invitations, ...more };
  },
};
