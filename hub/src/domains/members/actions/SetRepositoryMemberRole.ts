import { ids } from '@corral/contract';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { setRole } from '../sql/memberships.ts';

/** Makes a member an owner or not; the last owner stays one, also under concurrent calls. */
export const SetRepositoryMemberRole: Handler<'repositories_SetRepositoryMemberRole', RepositoryAccess> = {
  async authorize(context) {
    const { tx, actor, input } = context;
    const access = await mustOwnRepository(tx, actor, input.repositoryId);
    if (input.isOwner) mustBeSteppedUp(context);
    return access;
  },

  async run({ tx, input, emit }, { repositoryId }) {
    const { userId, isOwner } = input;
    const scope = { kind: 'repository', id: repositoryId } as const;
    const isChanged = await setRole(tx, scope, { userId: ids.user.raw(userId), isOwner });
    if (isChanged === undefined) throw notFound('Member');
    if (isChanged)
      emit('repositories_MemberRoleChanged', { repositoryId: input.repositoryId, userId, isOwner });
    return {};
  },
};
