import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/connect.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustReadPackage, type PackageAccess } from '../../policy/repositories.ts';
import { listOrder, sortKey, type Slice } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';
import { tagsOfVersion, type VersionTag } from '../../store/package-versions.ts';

interface Row {
  readonly version_id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly tags: readonly VersionTag[];
}

const newestFirst = listOrder<Row>('repositories_QueryPackageVersions', 'desc', [
  sortKey('created_at', 'timestamptz', sql`v.created_at`),
  sortKey('version_id', 'text', sql`v.version_id`),
]);

/** Lists the versions of a package, newest first. */
export const QueryPackageVersions: Handler<'repositories_QueryPackageVersions', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustReadPackage(tx, actor, input.packageId),

  async run({ tx, input }, { packageId }) {
    const { items, more } = await readPage(newestFirst, input, {
      scope: packageId,
      read: (slice) => readVersions(tx, packageId, slice),
      toItem: toOutput,
    });
    return { versions: items, ...more };
  },
};

/** Selects the slice first, so that only tags of its versions are read. */
async function readVersions(tx: Database, packageId: string, slice: Slice): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select v.*, ${tagsOfVersion} as tags from (
      select v.version_id, v.name, v.created_at from package_versions v
      where v.package_id = ${packageId} and ${slice.follows} ${slice.orderAndLimit}
    ) as v ${slice.order}`.execute(tx);
  return rows;
}

function toOutput(row: Row) {
  return {
    versionId: ids.packageVersion.of(row.version_id),
    ...(row.name === null ? {} : { name: row.name }),
    createdAt: row.created_at,
    tags: [...row.tags],
  };
}
