import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeSelfOrAdministrator } from '../../users/index.ts';
import { readReceivedInvitations } from '../sql/invitation-lists.ts';

/** Lists the pending invitations to projects that are addressed to a user, newest first. */
export const QueryUserProjectInvitations: Handler<'users_QueryUserProjectInvitations'> = {
  authorize: ({ tx, actor, input }) => mustBeSelfOrAdministrator(tx, actor, input.userId),

  async run({ tx, input, now }) {
    const invitee = { userId: ids.user.raw(input.userId), now };
    const { items, more } = await readReceivedInvitations(tx, 'project', invitee, input);
    const invitations = items.map(({ rawId, scopeId, name, ...dates }) => ({
      invitationId: ids.projectInvitation.of(rawId),
      project: { projectId: ids.project.of(scopeId), name },
      ...dates,
    }));
    return { invitations, ...more };
  },
};
