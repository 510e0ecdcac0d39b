import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { findPathReader, isReadable, type Reader } from '../../repositories/index.ts';

/** Resolves the names of a repository and a package; those of a public repository for everybody. */
export const ResolvePackageByPath: Handler<'repositories_ResolvePackageByPath', Reader> = {
  authorize: ({ actor }) => findPathReader(actor),

  async run({ tx, input }, reader) {
    const { rows } = await sql<{ repositoryId: string; packageId: string }>`
      select r.repository_id as "repositoryId", p.package_id as "packageId"
      from repositories r join packages p using (repository_id)
      where r.name = ${input.repository} and p.name = ${input.package} and ${isReadable(reader)}`.execute(tx);
    const [found] = rows;
    if (found === undefined) return { result: 'NotFound' };
    return {
      result: 'Found',
      repositoryId: ids.repository.of(found.repositoryId),
      packageId: ids.package.of(found.packageId),
    };
  },
};
