import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { invite } from '../sql/invite.ts';

/** Invites an address, by e-mail unless it gets too many; the answer does not reveal whether it has an account. */
export const InviteProjectMember: Handler<'projects_InviteProjectMember', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run({ tx, actor, input, now, vault, emit }, { projectId }) {
    const scope = { kind: 'project', id: projectId } as const;
    const invited = await invite({ tx, actor, now, vault }, scope, input.email);
    if (invited === undefined) throw notFound('Project');
    const { email, inviteeId, isMailed } = invited;
    const invitationId = ids.projectInvitation.of(invited.invitationId);
    emit('projects_InvitationCreated', { projectId: input.projectId, invitationId, email });
    if (inviteeId !== null) emit('users_InvitationsChanged', { userId: ids.user.of(inviteeId) });
    if (isMailed) emit('mail_Queued', {});
    return { invitationId, ...(isMailed ? {} : { isMailed }) };
  },
};
