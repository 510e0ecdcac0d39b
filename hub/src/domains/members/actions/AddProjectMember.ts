import { ActionError, ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAllowedToAddMembers } from '../../users/index.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { addMember } from '../sql/memberships.ts';

/** Makes an existing user a member without asking it; administrators only, others invite. An invitation of the same address ends thereby. */
export const AddProjectMember: Handler<'projects_AddProjectMember', ProjectAccess> = {
  async authorize(context) {
    const { tx, actor, input } = context;
    const access = await mustOwnProject(tx, actor, input.projectId);
    await mustBeAllowedToAddMembers(tx, actor);
    if (input.isOwner === true) mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, now, emit }, { projectId }) {
    const isOwner = input.isOwner ?? false;
    const scope = { kind: 'project', id: projectId } as const;
    const added = await addMember(tx, scope, { userId: ids.user.raw(input.userId), isOwner }, now);
    if (added === undefined) throw notFound('User');
    if (!added.isAdded) throw new ActionError('Invalid', 'The user is a member of this project already.');
    emit('projects_MemberAdded', { projectId: input.projectId, userId: input.userId, isOwner });
    if (added.revoked !== null) {
      const { invitationId: rawId, email } = added.revoked;
      const invitationId = ids.projectInvitation.of(rawId);
      emit('projects_InvitationDeleted', { projectId: input.projectId, invitationId, email });
      emit('users_InvitationsChanged', { userId: input.userId });
    }
    return {};
  },
};
