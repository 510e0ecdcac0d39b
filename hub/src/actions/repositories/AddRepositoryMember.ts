import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../policy/repositories.ts';

/** Makes an existing user a member; owners only. */
export const AddRepositoryMember: Handler<'repositories_AddRepositoryMember', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnRepository(tx, actor, input.repositoryId),

  async run({ tx, input, now, emit }, { repositoryId }) {
    const isOwner = input.isOwner ?? false;
    const { rows } = await sql<{ isAdded: boolean }>`
      with known as (select user_id from users where user_id = ${ids.user.raw(input.userId)} for key share),
      added as (
        insert into repository_members (repository_id, user_id, is_owner, added_at)
        select ${repositoryId}, user_id, ${isOwner}, ${now} from known on conflict do nothing returning 1
      )
      select exists (select 1 from added) as "isAdded" from known`.execute(tx);
    if (rows[0] === undefined) throw notFound('User');
    if (!rows[0].isAdded)
      throw new ActionError('Invalid', 'The user is a member of this repository already.');
    emit('repositories_MemberAdded', { repositoryId: input.repositoryId, userId: input.userId, isOwner });
    return {};
  },
};
