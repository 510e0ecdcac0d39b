import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustOwnRepository, type RepositoryAccess } from '../../policy/repositories.ts';
import { allowLongDelete } from '../../store/long-deletes.ts';

/** Deletes a repository with everything in it, locked tags included. Its assets stay as rows until the collector has deleted their bytes. */
export const DeleteRepository: Handler<'repositories_DeleteRepository', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnRepository(tx, actor, input.repositoryId),

  async run({ tx, input, emit }, { repositoryId }) {
    await allowLongDelete(tx);
    const deleted = await tx
      .deleteFrom('repositories')
      .where('repository_id', '=', repositoryId)
      .returning('name')
      .executeTakeFirst();
    if (deleted === undefined) throw notFound('Repository');
    await sql`
      update assets set status = 'Deleting' where repository_id = ${repositoryId} and status <> 'Deleting'`.execute(
      tx,
    );
    emit('repositories_Deleted', { repositoryId: input.repositoryId, name: deleted.name });
    return {};
  },
};
