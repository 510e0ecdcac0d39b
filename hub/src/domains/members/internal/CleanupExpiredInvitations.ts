import { ids } from '@corral/contract';
import type { Emit, Internal } from '../../../calls/handler.ts';
import { deleteExpiredInvitations, type ExpiredInvitation } from '../sql/received-invitations.ts';

const maxPerRun = 500;

/** Deletes invitations that have ended, so that lists and counts show it. */
export const CleanupExpiredInvitations: Internal<void, { deleted: number }> = {
  name: 'users_CleanupExpiredInvitations',
  async run({ tx, now, emit }) {
    const expired = await deleteExpiredInvitations(tx, now, maxPerRun);
    for (const invitation of expired) announce(invitation, emit);
    return { deleted: expired.length };
  },
};

function announce(
  { invitationId, email, projectId, repositoryId, inviteeId }: ExpiredInvitation,
  emit: Emit,
) {
  if (projectId !== null)
    emit('projects_InvitationExpired', {
      projectId: ids.project.of(projectId),
      invitationId: ids.projectInvitation.of(invitationId),
      email,
    });
  if (repositoryId !== null)
    emit('repositories_InvitationExpired', {
      repositoryId: ids.repository.of(repositoryId),
      invitationId: ids.repositoryInvitation.of(invitationId),
      email,
    });
  if (inviteeId !== null) emit('users_InvitationsChanged', { userId: ids.user.of(inviteeId) });
}
