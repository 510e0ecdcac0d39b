import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { findPathReader, isReadable, type Reader } from '../../policy/repositories.ts';
import { joinVersion } from '../../store/tag-references.ts';

interface Found {
  readonly repositoryId: string;
  readonly packageId: string;
  readonly versionId: string;
  readonly assetId: string;
}

/** Resolves a path to a file: repository, package, tag or a reference such as `stable~1`, and filename; in a public repository for everybody. */
export const ResolvePackageVersionAssetByPath: Handler<
  'repositories_ResolvePackageVersionAssetByPath',
  Reader
> = {
  authorize: ({ actor }) => findPathReader(actor),

  async run({ tx, input }, reader) {
    const { rows } = await sql<Found>`
      select r.repository_id as "repositoryId", p.package_id as "packageId", v.version_id as "versionId", f.asset_id as "assetId"
      from repositories r join packages p using (repository_id)
      ${joinVersion(input.tag)}
      join version_assets f on f.version_id = v.version_id and f.filename = ${input.filename}
      where r.name = ${input.repository} and p.name = ${input.package} and ${isReadable(reader)}`.execute(tx);
    const [found] = rows;
    if (found === undefined) return { result: 'NotFound' };
    return {
      result: 'Found',
      repositoryId: ids.repository.of(found.repositoryId),
      packageId: ids.package.of(found.packageId),
      versionId: ids.packageVersion.of(found.versionId),
      assetId: ids.asset.of(found.assetId),
    };
  },
};
