import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustOwnProjectInvitation, type ProjectAccess } from '../../projects/index.ts';
import { resend } from '../sql/invite.ts';

/** Sends the e-mail of a pending invitation again and renews its 14 days. */
export const ResendProjectInvitation: Handler<'projects_ResendProjectInvitation', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProjectInvitation(tx, actor, input.invitationId),

  async run({ tx, actor, input, now, vault, emit }, { projectId }) {
    const { invitationId } = input;
    const scope = { kind: 'project', id: projectId } as const;
    const renewed = await resend({ tx, actor, now, vault }, scope, ids.projectInvitation.raw(invitationId));
    if (renewed === undefined) throw notFound('Invitation');
    const { email, inviteeId } = renewed;
    emit('projects_InvitationResent', { projectId: ids.project.of(projectId), invitationId, email });
    if (inviteeId !== null) emit('users_InvitationsChanged', { userId: ids.user.of(inviteeId) });
    emit('mail_Queued', {});
    return {};
  },
};
