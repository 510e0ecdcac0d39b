import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { invite } from '../sql/invite.ts';

/** Invites an address, by e-mail unless it gets too many; the answer does not reveal whether it has an account. */
export const InviteRepositoryMember: Handler<'repositories_InviteRepositoryMember', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnRepository(tx, actor, input.repositoryId),

  async run({ tx, actor, input, now, vault, emit }, { repositoryId }) {
    const scope = { kind: 'repository', id: repositoryId } as const;
    const invited = await invite({ tx, actor, now, vault }, scope, input.email);
    if (invited === undefined) throw notFound('Repository');
    const { email, inviteeId, isMailed } = invited;
    const invitationId = ids.repositoryInvitation.of(invited.invitationId);
    emit('repositories_InvitationCreated', { repositoryId: input.repositoryId, invitationId, email });
    if (inviteeId !== null) emit('users_InvitationsChanged', { userId: ids.user.of(inviteeId) });
    if (isMailed) emit('mail_Queued', {});
    return { invitationId, ...(isMailed ? {} : { isMailed }) };
  },
};
