import { ids, type Input } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { findPathReader, isReadable, type Reader } from '../../repositories/index.ts';
import { joinVersion } from '../sql/tag-references.ts';

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
    const found = await (isReference(input.tag) ? findReferred : findTagged)(tx, { path: input, reader });
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

type Path = Input<'repositories_ResolvePackageVersionAssetByPath'>;

interface Asked {
  readonly path: Path;
  readonly reader: Reader;
}

const foundColumns = sql`r.repository_id as "repositoryId", p.package_id as "packageId", v.version_id as "versionId", f.asset_id as "assetId"`;

/** Whether a text means more than the tag of that name, as it is now. */
const isReference = (tag: string): boolean => /[~@]/.test(tag);

async function findReferred(tx: Database, { path, reader }: Asked): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select ${foundColumns} from repositories r join packages p using (repository_id)
      ${joinVersion(path.tag)}
      join version_assets f on f.version_id = v.version_id and f.filename = ${path.filename}
    where r.name = ${path.repository} and p.name = ${path.package} and ${isReadable(reader)}`.execute(tx);
  return rows[0];
}

async function findTagged(tx: Database, { path, reader }: Asked): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select ${foundColumns} from repositories r join packages p using (repository_id)
      join package_tags v using (package_id) join version_assets f using (version_id)
    where r.name = ${path.repository} and p.name = ${path.package} and v.tag = ${path.tag} and f.filename = ${path.filename}
      and ${isReadable(reader)}`.execute(tx);
  return rows[0];
}
