import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeInvitee, noSuchInvitation } from '../policy/invitations.ts';
import { consumeInvitation } from '../sql/received-invitations.ts';

/** Deletes an invitation to the address of the calling user's account. */
export const DeclineProjectInvitation: Handler<'users_DeclineProjectInvitation', string> = {
  authorize: ({ actor }) => mustBeInvitee(actor),

  async run({ tx, input: { invitationId }, now, emit }, rawUserId) {
    const rawId = ids.projectInvitation.raw(invitationId);
    const declined = await consumeInvitation(tx, 'project', rawId, { userId: rawUserId, now });
    if (declined === undefined) throw noSuchInvitation();
    emit('projects_InvitationDeclined', {
      projectId: ids.project.of(declined.scopeId),
      invitationId,
      email: declined.email,
      userId: ids.user.of(rawUserId),
    });
    return {};
  },
};
