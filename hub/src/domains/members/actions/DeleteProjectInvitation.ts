import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustOwnProjectInvitation, type ProjectAccess } from '../../projects/index.ts';
import { deleteInvitation } from '../sql/invitations.ts';

/** Revokes a pending invitation; its links lead nowhere from then on. */
export const DeleteProjectInvitation: Handler<'projects_DeleteProjectInvitation', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProjectInvitation(tx, actor, input.invitationId),

  async run({ tx, input, now, emit }, { projectId }) {
    const { invitationId } = input;
    const scope = { kind: 'project', id: projectId } as const;
    const deleted = await deleteInvitation(tx, scope, ids.projectInvitation.raw(invitationId), now);
    if (deleted === undefined) throw notFound('Invitation');
    const { email, inviteeId } = deleted;
    emit('projects_InvitationDeleted', { projectId: ids.project.of(projectId), invitationId, email });
    if (inviteeId !== null) emit('users_InvitationsChanged', { userId: ids.user.of(inviteeId) });
    return {};
  },
};
