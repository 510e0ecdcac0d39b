import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../policy/repositories.ts';
import { inviteesOf } from '../../store/received-invitations.ts';
import { deleteRepositories } from '../../store/repository-deletion.ts';

/** Deletes a repository with everything in it, locked tags included. */
export const DeleteRepository: Handler<'repositories_DeleteRepository', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnRepository(tx, actor, input.repositoryId),

  async run({ tx, input, emit }, { repositoryId }) {
    const invitees = await inviteesOf(tx, 'repository', [repositoryId]);
    const [deleted] = await deleteRepositories(tx, [repositoryId]);
    if (deleted === undefined) throw notFound('Repository');
    emit('repositories_Deleted', { repositoryId: input.repositoryId, name: deleted.name });
    for (const userId of invitees) emit('users_InvitationsChanged', { userId: ids.user.of(userId) });
    return {};
  },
};
