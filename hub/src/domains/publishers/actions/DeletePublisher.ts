import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustOwnRepository, ownsRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { deleteServiceAccount } from '../../services/index.ts';
import { sessionPrincipal } from '../../users/index.ts';

/** Deletes a publisher with its service account, which ends its tokens and their connections. */
export const DeletePublisher: Handler<'repositories_DeletePublisher', RepositoryAccess> = {
  async authorize({ tx, actor, input }) {
    sessionPrincipal(actor);
    const found = await tx
      .selectFrom('publishers')
      .select('repository_id')
      .where('publisher_id', '=', ids.publisher.raw(input.publisherId))
      .executeTakeFirst();
    if (found === undefined) throw notFound('Publisher');
    const repositoryId = ids.repository.of(found.repository_id);
    // Who does not own the repository must not learn that it has this one.
    if (!(await ownsRepository(tx, actor, repositoryId))) throw notFound('Publisher');
    return mustOwnRepository(tx, actor, repositoryId);
  },

  async run({ tx, input, emit }, { repositoryId: rawId }) {
    const repositoryId = ids.repository.of(rawId);
    const deleted = await tx
      .deleteFrom('publishers')
      .where('publisher_id', '=', ids.publisher.raw(input.publisherId))
      .returning(['user_id', 'name'])
      .executeTakeFirst();
    if (deleted === undefined) throw notFound('Publisher');
    const { user_id: rawUserId, name } = deleted;
    emit('repositories_PublisherDeleted', { repositoryId, publisherId: input.publisherId, name });
    const account = await deleteServiceAccount(tx, rawUserId, sql`true`);
    if (account !== undefined) emit('users_ServiceAccountDeleted', account);
    return {};
  },
};
