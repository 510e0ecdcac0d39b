import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { forbidden, notFound } from '../../policy/actors.ts';
import { mustWriteRepository, type RepositoryAccess } from '../../policy/repositories.ts';

/** Removes a member: owners may remove anyone, members themselves. The last owner stays, also under concurrent calls. */
export const RemoveRepositoryMember: Handler<'repositories_RemoveRepositoryMember', RepositoryAccess> = {
  async authorize({ tx, actor, input }) {
    const access = await mustWriteRepository(tx, actor, input.repositoryId);
    const isSelf = 'userId' in actor && actor.userId === input.userId;
    if (!access.isOwner && !isSelf) throw forbidden('Only an owner of the repository may do this.');
    return access;
  },

  async run({ tx, input, emit }, { repositoryId }) {
    const userId = ids.user.raw(input.userId);
    const { rows } = await sql<{ user_id: string; is_owner: boolean }>`
      select user_id, is_owner from repository_members
      where repository_id = ${repositoryId} and (is_owner or user_id = ${userId}) order by user_id for update`.execute(
      tx,
    );
    const member = rows.find((row) => row.user_id === userId);
    if (member === undefined) throw notFound('Member');
    if (member.is_owner && rows.filter((row) => row.is_owner).length === 1)
      throw new ActionError('Invalid', 'The last owner of a repository cannot be removed.');
    await tx
      .deleteFrom('repository_members')
      .where('repository_id', '=', repositoryId)
      .where('user_id', '=', userId)
      .execute();
    emit('repositories_MemberRemoved', { repositoryId: input.repositoryId, userId: input.userId });
    return {};
  },
};
