import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { findPathReader, isReadable, type Reader } from '../../repositories/index.ts';
import { joinVersion } from '../sql/tag-references.ts';

interface Found {
  readonly repositoryId: string;
  readonly packageId: string;
  readonly versionId: string;
}

/** Resolves the names of a repository and a package and a tag, or a reference such as `stable~1`; those of a public repository for everybody. */
export const ResolvePackageVersionByPath: Handler<'repositories_ResolvePackageVersionByPath', Reader> = {
  authorize: ({ actor }) => findPathReader(actor),

  async run({ tx, input }, reader) {
    const { rows } = await sql<Found>`
      select r.repository_id as "repositoryId", p.package_id as "packageId", v.version_id as "versionId"
      from repositories r join packages p using (repository_id)
      ${joinVersion(input.tag)}
      where r.name = ${input.repository} and p.name = ${input.package} and ${isReadable(reader)}`.execute(tx);
    const [found] = rows;
    if (found === undefined) return { result: 'NotFound' };
    return {
      result: 'Found',
      repositoryId: ids.repository.of(found.repositoryId),
      packageId: ids.package.of(found.packageId),
      versionId: ids.packageVersion.of(found.versionId),
    };
  },
};
