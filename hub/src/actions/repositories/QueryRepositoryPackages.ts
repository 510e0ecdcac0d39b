import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/connect.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustReadRepository, type RepositoryAccess } from '../../policy/repositories.ts';
import { listOrder, sortKey, type Slice } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';

interface Row {
  readonly package_id: string;
  readonly name: string;
  readonly lower_name: string;
  readonly kind: string | null;
  readonly version_count: number;
  readonly created_at: string;
  readonly newest_id: string | null;
  readonly newest_name: string | null;
  readonly newest_at: string | null;
}

const byName = listOrder<Row>('repositories_QueryRepositoryPackages', 'asc', [
  sortKey('lower_name', 'text', sql`lower(p.name)`),
  sortKey('name', 'text', sql`p.name`),
  sortKey('package_id', 'text', sql`p.package_id`),
]);

/** Lists the packages of a repository, by name. */
export const QueryRepositoryPackages: Handler<'repositories_QueryRepositoryPackages', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustReadRepository(tx, actor, input.repositoryId),

  async run({ tx, input }, { repositoryId }) {
    const { items, more } = await readPage(byName, input, {
      of: repositoryId,
      read: (slice) => readPackages(tx, repositoryId, slice),
      toItem: toOutput,
    });
    return { packages: items, ...more };
  },
};

/** Selects the slice first, so that the newest version is read for its packages only. */
async function readPackages(tx: Database, repositoryId: string, slice: Slice): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.*, lower(p.name) as lower_name, newest.version_id as newest_id, newest.name as newest_name,
      newest.created_at as newest_at
    from (
      select p.package_id, p.name, p.kind, p.version_count, p.created_at from packages p
      where p.repository_id = ${repositoryId} and ${slice.follows} ${slice.orderAndLimit}
    ) as p
    left join lateral (
      select v.version_id, v.name, v.created_at from package_versions v where v.package_id = p.package_id
      order by v.created_at desc, v.version_id desc limit 1
    ) as newest on true ${slice.order}`.execute(tx);
  return rows;
}

function toOutput(row: Row) {
  return {
    packageId: ids.package.of(row.package_id),
    name: row.name,
    ...(row.kind === null ? {} : { kind: row.kind }),
    createdAt: row.created_at,
    versionCount: row.version_count,
    ...newestOf(row),
  };
}

function newestOf({ newest_id: versionId, newest_name: name, newest_at: createdAt }: Row) {
  if (versionId === null || createdAt === null) return {};
  const label = name === null ? {} : { name };
  return { newestVersion: { versionId: ids.packageVersion.of(versionId), ...label, createdAt } };
}
