import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeInvitee, noSuchInvitation } from '../policy/invitations.ts';
import { acceptInvitation } from '../sql/received-invitations.ts';

/** Makes the calling user a member by an invitation to the address of the account, once. */
export const AcceptProjectInvitation: Handler<'users_AcceptProjectInvitation', string> = {
  authorize: ({ actor }) => mustBeInvitee(actor),

  async run({ tx, input: { invitationId }, now, emit }, rawUserId) {
    const rawId = ids.projectInvitation.raw(invitationId);
    const accepted = await acceptInvitation(tx, 'project', rawId, { userId: rawUserId, now });
    if (accepted === undefined) throw noSuchInvitation();
    const userId = ids.user.of(rawUserId);
    const projectId = ids.project.of(accepted.scopeId);
    emit('projects_InvitationAccepted', { projectId, invitationId, email: accepted.email, userId });
    if (accepted.isAdded) emit('projects_MemberAdded', { projectId, userId, isOwner: false });
    return {};
  },
};
