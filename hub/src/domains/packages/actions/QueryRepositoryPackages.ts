import { ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustReadRepository, type RepositoryAccess } from '../../repositories/index.ts';
import {
  nameKey,
  sortKey,
  type ListOrder,
  type Slice,
  type SortKey,
} from '../../../platform/db/paging/list-order.ts';
import { derivedKeys, nullsLast, namedOrder } from '../../../platform/db/paging/named-order.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { anyId, anyText, contains } from '../../../platform/db/paging/searched-text.ts';
import { nullsLastSegments, segmentReader } from '../../../platform/db/paging/segments.ts';

interface Row {
  readonly package_id: string;
  readonly name: string;
  readonly lower_name: string;
  readonly kind: string | null;
  readonly version_count: number;
  readonly created_at: string;
  readonly newest_version_id: string | null;
  readonly newest_name: string | null;
  readonly newest_at: string | null;
  /** The sort keys that are no columns. */
  readonly kind_rank: boolean;
  readonly kind_key: string;
  readonly newest_rank: boolean;
  readonly newest_key: string;
  readonly published_key: string;
}

const name = sortKey<Row>('name', 'text', sql`p.name`);
const id = sortKey<Row>('package_id', 'text', sql`p.package_id`);
const versions = sortKey<Row>('version_count', 'bigint', sql`p.version_count`);
const byName = [sortKey<Row>('lower_name', 'text', nameKey(sql`p.name`)), name, id];
const byKind = (isDescending: boolean) => [
  sortKey<Row>('kind_rank', 'boolean', nullsLast(sql`p.kind`, isDescending)),
  sortKey<Row>('kind_key', 'text', nameKey(sql`coalesce(p.kind, '')`)),
];
/** Packages without a version come last in either direction, with the values of columns that they have. */
const newestRank = (isDescending: boolean) =>
  sortKey<Row>('newest_rank', 'boolean', nullsLast(sql`p.newest_version_id`, isDescending));
const newest = sortKey<Row>('newest_key', 'text', sql`(coalesce(p.newest_key, '') collate "C")`);
const published = sortKey<Row>('published_key', 'timestamptz', sql`coalesce(p.newest_at, p.created_at)`);
const orders = {
  name: () => byName,
  kind: (isDescending: boolean) => [...byKind(isDescending), ...byName],
  newest: (isDescending: boolean) => [newestRank(isDescending), newest, ...byName],
  published: (isDescending: boolean) => [newestRank(isDescending), published, ...byName],
  versions: () => [versions, ...byName],
};
/** The orders in which packages without a value come last: the value, and the keys of the others as an index has them. */
const indexed: Readonly<
  Record<string, { readonly value: RawBuilder<unknown>; readonly keys: readonly SortKey<Row>[] }>
> = {
  kind: { value: sql`p.kind`, keys: [sortKey('kind_key', 'text', nameKey(sql`p.kind`)), ...byName] },
  newest: {
    value: sql`p.newest_version_id`,
    keys: [sortKey('newest_key', 'text', sql`(p.newest_key collate "C")`), ...byName],
  },
  published: {
    value: sql`p.newest_version_id`,
    keys: [sortKey('published_key', 'timestamptz', sql`p.newest_at`), ...byName],
  },
};
const searched = [anyText(sql`p.name`), anyText(sql`p.kind`), anyId(ids.package, sql`p.package_id`)];

/** Lists the packages of a repository; by name by default. */
export const QueryRepositoryPackages: Handler<'repositories_QueryRepositoryPackages', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustReadRepository(tx, actor, input.repositoryId),

  async run({ tx, input }, { repositoryId }) {
    const { search, order = 'name' } = input;
    const list = namedOrder('repositories_QueryRepositoryPackages', orders, order, 'name');
    const listed = { repositoryId, list, isFound: contains(searched, search) };
    const { items, more } = await readPage(list, input, {
      scope: filteredScope(repositoryId, search),
      read: packageReader(tx, order, listed),
      toItem: toOutput,
    });
    return { packages: items, ...more };
  },
};

/** Which packages are listed. */
interface Listed {
  readonly repositoryId: string;
  readonly list: ListOrder<Row>;
  readonly isFound: RawBuilder<boolean>;
}

/** Reads slices of the packages; those with a value apart from those without, so that both are found by index. */
function packageReader(tx: Database, order: string, listed: Listed): (slice: Slice) => Promise<Row[]> {
  const { list, isFound } = listed;
  const found = indexed[order.replace('-', '')];
  if (found === undefined) return (slice) => readPackages(tx, listed, slice);
  const segments = nullsLastSegments(list.direction === 'desc', found.value, {
    withValue: found.keys,
    without: byName,
  });
  return segmentReader(list, segments, (_part, holds, slice) =>
    readPackages(tx, { ...listed, isFound: sql<boolean>`${isFound} and ${holds}` }, slice),
  );
}

/** Selects the slice first, so that names of versions are read for its packages only. */
async function readPackages(
  tx: Database,
  { repositoryId, list, isFound }: Listed,
  slice: Slice,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.package_id, p.name, p.kind, p.version_count, p.created_at, p.newest_version_id, p.newest_at, v.name as newest_name
      ${derivedKeys(list, [name, id, versions])}
    from (
      select p.package_id, p.name, p.kind, p.version_count, p.created_at, p.newest_version_id, p.newest_at, p.newest_key
      from packages p
      where p.repository_id = ${repositoryId} and ${isFound} and ${slice.follows} ${slice.orderAndLimit}
    ) as p
    left join package_versions v on v.version_id = p.newest_version_id ${slice.order}`.execute(tx);
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

function newestOf({ newest_version_id: versionId, newest_name: name, newest_at: createdAt }: Row) {
  if (versionId === null || createdAt === null) return {};
  const label = name === null ? {} : { name };
  return { newestVersion: { versionId: ids.packageVersion.of(versionId), ...label, createdAt } };
}
