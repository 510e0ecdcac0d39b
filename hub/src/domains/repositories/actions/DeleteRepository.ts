import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import { mustOwnRepository, type RepositoryAccess } from '../policy/repositories.ts';
import { announceEndedLinks } from '../../projects/index.ts';
import { inviteesOf } from '../../members/index.ts';
import { deleteRepositories } from '../sql/repository-deletion.ts';

/** Deletes a repository with everything in it, locked tags included; the members of linked projects see the links end. */
export const DeleteRepository: Handler<'repositories_DeleteRepository', RepositoryAccess> = {
  async authorize(context) {
    const access = await mustOwnRepository(context.tx, context.actor, context.input.repositoryId);
    mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, now, emit }, { repositoryId }) {
    const invitees = await inviteesOf(tx, 'repository', [repositoryId]);
    const { repositories, links } = await deleteRepositories(tx, [repositoryId], now);
    const [deleted] = repositories;
    if (deleted === undefined) throw notFound('Repository');
    await announceEndedLinks(links, emit, { name: deleted.name });
    emit('repositories_Deleted', { repositoryId: input.repositoryId, name: deleted.name });
    for (const userId of invitees) emit('users_InvitationsChanged', { userId: ids.user.of(userId) });
    return {};
  },
};
