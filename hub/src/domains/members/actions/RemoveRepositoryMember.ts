import { ids } from '@corral/contract';
import { forbidden, notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { isAdministrator } from '../../users/index.ts';
import { mustWriteRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { removeMember } from '../sql/memberships.ts';
import { appointOwner } from '../sql/appoint-owner.ts';

interface Removal extends RepositoryAccess {
  readonly isSelf: boolean;
  /** Whether the new owner may be somebody who is no member yet. */
  readonly mayAdd: boolean;
}

/**
 * Removes a member: owners and administrators may remove anyone, members themselves. The last owner stays, also under concurrent calls, unless
 * the same call names another one.
 */
export const RemoveRepositoryMember: Handler<'repositories_RemoveRepositoryMember', Removal> = {
  async authorize({ tx, actor, input }) {
    const access = await mustWriteRepository(tx, actor, input.repositoryId);
    const isSelf = 'userId' in actor && actor.userId === input.userId;
    if (!access.isOwner && (!isSelf || input.newOwner !== undefined))
      throw forbidden('Only an owner of the repository may do this.');
    const mayAdd = input.newOwner !== undefined && (await isAdministrator(tx, actor));
    return { ...access, isSelf, mayAdd };
  },

  async run({ tx, input, now, emit }, { repositoryId, isSelf, mayAdd }) {
    const scope = { kind: 'repository', id: repositoryId } as const;
    const how = isSelf ? 'leave' : 'removed';
    if (input.newOwner !== undefined && input.newOwner !== input.userId)
      for (const [name, data] of await appointOwner(tx, scope, input.newOwner, now, mayAdd)) emit(name, data);
    const isRemoved = await removeMember(tx, scope, ids.user.raw(input.userId), how);
    if (!isRemoved) throw notFound('Member');
    emit('repositories_MemberRemoved', { repositoryId: input.repositoryId, userId: input.userId });
    return {};
  },
};
