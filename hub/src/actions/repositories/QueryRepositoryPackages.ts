import { ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../db/connect.ts';
import type { Handler } from '../../executor/handler.ts';
import { mustReadRepository, type RepositoryAccess } from '../../policy/repositories.ts';
import { sortKey, type ListOrder, type Slice } from '../../store/paging/list-order.ts';
import { contains, derivedKeys, emptyLast, namedOrder } from '../../store/paging/named-order.ts';
import { filteredList, readPage } from '../../store/paging/read-page.ts';

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
  readonly kind_rank: boolean;
  readonly kind_key: string;
}

const name = sortKey<Row>('name', 'text', sql`p.name`);
const id = sortKey<Row>('package_id', 'text', sql`p.package_id`);
const versions = sortKey<Row>('version_count', 'bigint', sql`p.version_count`);
const byName = [sortKey<Row>('lower_name', 'text', sql`lower(p.name)`), name, id];
const byKind = (isDescending: boolean) => [
  sortKey<Row>('kind_rank', 'boolean', emptyLast(sql`p.kind`, isDescending)),
  sortKey<Row>('kind_key', 'text', sql`lower(coalesce(p.kind, ''))`),
];
const orders = {
  name: () => byName,
  kind: (isDescending: boolean) => [...byKind(isDescending), ...byName],
  versions: () => [versions, ...byName],
};
const searched = [sql`p.name`, sql`p.kind`, sql`${sql.lit(`${ids.package.tag}_`)} || p.package_id`];

/** Lists the packages of a repository; by name by default. */
export const QueryRepositoryPackages: Handler<'repositories_QueryRepositoryPackages', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustReadRepository(tx, actor, input.repositoryId),

  async run({ tx, input }, { repositoryId }) {
    const { search, order = 'name' } = input;
    const list = namedOrder('repositories_QueryRepositoryPackages', orders, order, 'name');
    const listed = { repositoryId, list, isFound: contains(searched, search) };
    const { items, more } = await readPage(list, input, {
      of: filteredList(repositoryId, search),
      read: (slice) => readPackages(tx, listed, slice),
      toItem: toOutput,
    });
    return { packages: items, ...more };
  },
};

interface Listed {
  readonly repositoryId: string;
  readonly list: ListOrder<Row>;
  readonly isFound: RawBuilder<boolean>;
}

/** Selects the slice first, so that the newest version is read for its packages only. */
async function readPackages(
  tx: Database,
  { repositoryId, list, isFound }: Listed,
  slice: Slice,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.* ${derivedKeys(list, [name, id, versions])}, newest.version_id as newest_id, newest.name as newest_name,
      newest.created_at as newest_at
    from (
      select p.package_id, p.name, p.kind, p.version_count, p.created_at from packages p
      where p.repository_id = ${repositoryId} and ${isFound} and ${slice.follows} ${slice.orderAndLimit}
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
