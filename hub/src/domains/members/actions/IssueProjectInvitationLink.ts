import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustOwnProjectInvitation, type ProjectAccess } from '../../projects/index.ts';
import { linkOf } from '../sql/invitation-links.ts';
import { findInvitation } from '../sql/invitations.ts';

/** Returns the link of a pending invitation, to be passed on when the e-mail does not arrive. */
export const IssueProjectInvitationLink: Handler<'projects_IssueProjectInvitationLink', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProjectInvitation(tx, actor, input.invitationId),

  async run({ tx, input, now, vault, origins, emit }, { projectId }) {
    const rawId = ids.projectInvitation.raw(input.invitationId);
    const found = await findInvitation(tx, rawId, now);
    if (found === undefined) throw notFound('Invitation');
    const { email, expiresAt } = found;
    const linked = { invitationId: rawId, expiresAt: new Date(expiresAt) };
    const url = await linkOf({ tx, now, vault }, origins.console, linked);
    const { invitationId } = input;
    emit('projects_InvitationLinkIssued', { projectId: ids.project.of(projectId), invitationId, email });
    return { url, expiresAt };
  },
};
