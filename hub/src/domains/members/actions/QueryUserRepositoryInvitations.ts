import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeSelfOrAdministrator } from '../../users/index.ts';
import { readReceivedInvitations } from '../sql/invitation-lists.ts';

/** Lists the pending invitations to repositories that are addressed to a user, newest first. */
export const QueryUserRepositoryInvitations: Handler<'users_QueryUserRepositoryInvitations'> = {
  authorize: ({ tx, actor, input }) => mustBeSelfOrAdministrator(tx, actor, input.userId),

  async run({ tx, input, now }) {
    const invitee = { userId: ids.user.raw(input.userId), now };
    const { items, more } = await readReceivedInvitations(tx, 'repository', invitee, input);
    const invitations = items.map(({ rawId, scopeId, name, ...dates }) => ({
      invitationId: ids.repositoryInvitation.of(rawId),
      repository: { repositoryId: ids.repository.of(scopeId), name },
      ...dates,
    }));
    return { invitations, ...more };
  },
};
