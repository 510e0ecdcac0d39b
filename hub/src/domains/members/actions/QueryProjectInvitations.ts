import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readSentInvitations } from '../sql/invitation-lists.ts';

/** Lists the pending invitations to a project for its members, newest first. */
export const QueryProjectInvitations: Handler<'projects_QueryProjectInvitations', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId }) {
    const scope = { kind: 'project', id: projectId } as const;
    const { items, more } = await readSentInvitations(tx, scope, input, now);
    const invitations = items.map(({ rawId, ...item }) => ({
      invitationId: ids.projectInvitation.of(rawId),
      ...item,
    }));
    return { invitations, ...more };
  },
};
