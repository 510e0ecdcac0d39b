import { ActionError, ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAllowedToAddMembers } from '../../users/index.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { addMember } from '../sql/memberships.ts';

/** Makes an existing user a member without asking it; administrators only, others invite. An invitation of the same address ends thereby. */
export const AddRepositoryMember: Handler<'repositories_AddRepositoryMember', RepositoryAccess> = {
  async authorize(context) {
    const { tx, actor, input } = context;
    const access = await mustOwnRepository(tx, actor, input.repositoryId);
    await mustBeAllowedToAddMembers(tx, actor);
    if (input.isOwner === true) mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, now, emit }, { repositoryId }) {
    const isOwner = input.isOwner ?? false;
    const scope = { kind: 'repository', id: repositoryId } as const;
    const added = await addMember(tx, scope, { userId: ids.user.raw(input.userId), isOwner }, now);
    if (added === undefined) throw notFound('User');
    if (!added.isAdded) throw new ActionError('Invalid', 'The user is a member of this repository already.');
    emit('repositories_MemberAdded', { repositoryId: input.repositoryId, userId: input.userId, isOwner });
    if (added.revoked !== null) {
      const { invitationId: rawId, email } = added.revoked;
      const invitationId = ids.repositoryInvitation.of(rawId);
      emit('repositories_InvitationDeleted', { repositoryId: input.repositoryId, invitationId, email });
      emit('users_InvitationsChanged', { userId: input.userId });
    }
    return {};
  },
};
