import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { findReader, isReadable, type Reader } from '../policy/repositories.ts';

/** Resolves the name of a repository that the actor may read. */
export const ResolveRepositoryName: Handler<'repositories_ResolveRepositoryName', Reader> = {
  authorize: ({ actor }) => findReader(actor),

  async run({ tx, input }, reader) {
    const { rows } = await sql<{ repositoryId: string }>`
      select r.repository_id as "repositoryId" from repositories r
      where r.name = ${input.repository} and ${isReadable(reader)}`.execute(tx);
    if (rows[0] === undefined) return { result: 'NotFound' };
    return { result: 'Found', repositoryId: ids.repository.of(rows[0].repositoryId) };
  },
};
