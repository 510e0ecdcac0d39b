import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustOwnRepositoryInvitation, type RepositoryAccess } from '../../repositories/index.ts';
import { resend } from '../sql/invite.ts';

/** Sends the e-mail of a pending invitation again and renews its 14 days. */
export const ResendRepositoryInvitation: Handler<
  'repositories_ResendRepositoryInvitation',
  RepositoryAccess
> = {
  authorize: ({ tx, actor, input }) => mustOwnRepositoryInvitation(tx, actor, input.invitationId),

  async run({ tx, actor, input, now, vault, emit }, { repositoryId }) {
    const { invitationId } = input;
    const scope = { kind: 'repository', id: repositoryId } as const;
    const renewed = await resend(
      { tx, actor, now, vault },
      scope,
      ids.repositoryInvitation.raw(invitationId),
    );
    if (renewed === undefined) throw notFound('Invitation');
    const { email, inviteeId } = renewed;
    emit('repositories_InvitationResent', {
      repositoryId: ids.repository.of(repositoryId),
      invitationId,
      email,
    });
    if (inviteeId !== null) emit('users_InvitationsChanged', { userId: ids.user.of(inviteeId) });
    emit('mail_Queued', {});
    return {};
  },
};
