import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeInvitee, noSuchInvitation } from '../policy/invitations.ts';
import { acceptInvitation } from '../sql/received-invitations.ts';

/** Makes the calling user a member by an invitation to the address of the account, once. */
export const AcceptRepositoryInvitation: Handler<'users_AcceptRepositoryInvitation', string> = {
  authorize: ({ actor }) => mustBeInvitee(actor),

  async run({ tx, input: { invitationId }, now, emit }, rawUserId) {
    const rawId = ids.repositoryInvitation.raw(invitationId);
    const accepted = await acceptInvitation(tx, 'repository', rawId, { userId: rawUserId, now });
    if (accepted === undefined) throw noSuchInvitation();
    const userId = ids.user.of(rawUserId);
    const repositoryId = ids.repository.of(accepted.scopeId);
    emit('repositories_InvitationAccepted', { repositoryId, invitationId, email: accepted.email, userId });
    if (accepted.isAdded) emit('repositories_MemberAdded', { repositoryId, userId, isOwner: false });
    return {};
  },
};
