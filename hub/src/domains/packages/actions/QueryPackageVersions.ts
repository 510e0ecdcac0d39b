import { ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustReadPackage, type PackageAccess } from '../../repositories/index.ts';
import {
  nameKey as keyOf,
  sortKey,
  type ListOrder,
  type Slice,
} from '../../../platform/db/paging/list-order.ts';
import { derivedKeys, namedOrder, nullsLast } from '../../../platform/db/paging/named-order.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { anyId, anyText, contains, type SearchedText } from '../../../platform/db/paging/searched-text.ts';
import { nullsLastSegments, segmentReader } from '../../../platform/db/paging/segments.ts';
import { tagsOfVersion, type VersionTag } from '../sql/package-versions.ts';

interface Row {
  readonly version_id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly tags: readonly VersionTag[];
  /** The sort keys that are no columns. */
  readonly name_rank: boolean;
  readonly name_key: string;
}

const id = sortKey<Row>('version_id', 'text', sql`v.version_id`);
const createdAt = sortKey<Row>('created_at', 'timestamptz', sql`v.created_at`);
const nameKey = sortKey<Row>('name_key', 'text', keyOf(sql`coalesce(v.name, '')`));
const orders = {
  name: (isDescending: boolean) => [
    sortKey<Row>('name_rank', 'boolean', nullsLast(sql`v.name`, isDescending)),
    nameKey,
    id,
  ],
  createdAt: () => [createdAt, id],
};
const byName = { withValue: [nameKey, id], without: [id] };

/** Lists the versions of a package; newest first by default. */
export const QueryPackageVersions: Handler<'repositories_QueryPackageVersions', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustReadPackage(tx, actor, input.packageId),

  async run({ tx, input }, { packageId }) {
    const { search, order = '-createdAt' } = input;
    const list = namedOrder('repositories_QueryPackageVersions', orders, order, '-createdAt');
    const listed = { packageId, list, isFound: contains(searchedIn(packageId), search) };
    const { items, more } = await readPage(list, input, {
      scope: filteredScope(packageId, search),
      read: versionReader(tx, listed),
      toItem: toOutput,
    });
    return { versions: items, ...more };
  },
};

/** Names, ids and tags; the tags of the package are searched once, not for each version. */
function searchedIn(packageId: string): readonly SearchedText[] {
  const anyTag: SearchedText = (text) =>
    sql<boolean>`v.version_id in (
      select t.version_id from package_tags t where t.package_id = ${packageId} and ${contains([anyText(sql`t.tag`)], text)})`;
  return [anyText(sql`v.name`), anyId(ids.packageVersion, sql`v.version_id`), anyTag];
}

/** Which versions are listed. */
interface Listed {
  readonly packageId: string;
  readonly list: ListOrder<Row>;
  readonly isFound: RawBuilder<boolean>;
}

/** Reads slices of the versions; by name those with one apart from those without, so that both are found by index. */
function versionReader(tx: Database, listed: Listed): (slice: Slice) => Promise<Row[]> {
  const { list, isFound } = listed;
  if (!list.keys.some(({ column }) => column === 'name_rank'))
    return (slice) => readVersions(tx, listed, slice);
  const segments = nullsLastSegments(list.direction === 'desc', sql`v.name`, byName);
  return segmentReader(list, segments, (_part, holds, slice) =>
    readVersions(tx, { ...listed, isFound: sql<boolean>`${isFound} and ${holds}` }, slice),
  );
}

/** Selects the slice first, so that only tags of its versions are read. */
async function readVersions(
  tx: Database,
  { packageId, list, isFound }: Listed,
  slice: Slice,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select v.*, ${tagsOfVersion} as tags ${derivedKeys(list, [id, createdAt])} from (
      select v.version_id, v.name, v.created_at from package_versions v
      where v.package_id = ${packageId} and ${isFound} and ${slice.follows} ${slice.orderAndLimit}
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
