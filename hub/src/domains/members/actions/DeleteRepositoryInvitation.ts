import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustOwnRepositoryInvitation, type RepositoryAccess } from '../../repositories/index.ts';
import { deleteInvitation } from '../sql/invitations.ts';

/** Revokes a pending invitation; its links lead nowhere from then on. */
export const DeleteRepositoryInvitation: Handler<
  'repositories_DeleteRepositoryInvitation',
  RepositoryAccess
> = {
  authorize: ({ tx, actor, input }) => mustOwnRepositoryInvitation(tx, actor, input.invitationId),

  async run({ tx, input, now, emit }, { repositoryId }) {
    const { invitationId } = input;
    const scope = { kind: 'repository', id: repositoryId } as const;
    const deleted = await deleteInvitation(tx, scope, ids.repositoryInvitation.raw(invitationId), now);
    if (deleted === undefined) throw notFound('Invitation');
    const { email, inviteeId } = deleted;
    emit('repositories_InvitationDeleted', {
      repositoryId: ids.repository.of(repositoryId),
      invitationId,
      email,
    });
    if (inviteeId !== null) emit('users_InvitationsChanged', { userId: ids.user.of(inviteeId) });
    return {};
  },
};
