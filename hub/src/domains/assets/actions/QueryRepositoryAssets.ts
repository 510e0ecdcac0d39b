import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustReadRepository, type RepositoryAccess } from '../../repositories/index.ts';
import { assetColumns, digestBytes, digestText, toAsset, type AssetRow } from '../sql/assets.ts';
import { sortKey } from '../../../platform/db/paging/list-order.ts';
import { namedOrder } from '../../../platform/db/paging/named-order.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { anyHex, anyId, anyOf, contains } from '../../../platform/db/paging/searched-text.ts';

interface Row extends AssetRow {
  /** The bytes, as cursors have them. */
  readonly digest_key: string;
  /** The number of files as of the last fold, which an index has. */
  readonly uses_key: number;
  readonly filenames: string[];
}

const id = sortKey<Row>('asset_id', 'text', sql`a.asset_id`);
const digest = digestText(sql`a.digest`);
/** A row has at most a sentence: some orders sort all assets for each statement, so a page of the console is one. */
const firstBatchRows = 500;
const orders = {
  name: () => [id],
  // Unique in a repository, and in this order in an index.
  digest: () => [sortKey<Row>('digest_key', 'bytea', sql`a.digest`)],
  size: () => [sortKey<Row>('size', 'bigint', sql`a.size`), id],
  status: () => [sortKey<Row>('status', 'text', sql`a.status`), id],
  uses: () => [sortKey<Row>('uses_key', 'bigint', sql`a.reference_count`), id],
  createdAt: () => [sortKey<Row>('created_at', 'timestamptz', sql`a.created_at`), id],
};
const searched = [
  anyId(ids.asset, sql`a.asset_id`),
  anyHex('sha256_', digest),
  anyOf(['Dangling', 'Available', 'Deleting'], sql`a.status`),
];

/** How many files of an asset are looked at for their names: it may be a file of each of a million versions. */
const readFiles = 20;
const shownNames = 3;
const filenames = sql<string[]>`array(
  select distinct filename from (
    (select filename from version_assets where asset_id = a.asset_id limit ${readFiles})
    union all (select filename from package_assets where asset_id = a.asset_id limit ${readFiles})
  ) as files order by filename limit ${shownNames}
)`;

/** Lists the assets of a repository, or those of some digests; newest first by default. */
export const QueryRepositoryAssets: Handler<'repositories_QueryRepositoryAssets', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustReadRepository(tx, actor, input.repositoryId),

  async run({ tx, input }, { repositoryId }) {
    const { digests, search, order = '-createdAt' } = input;
    const byName = namedOrder('repositories_QueryRepositoryAssets', orders, order, '-createdAt');
    const list = { ...byName, firstBatchRows };
    const isWanted =
      digests === undefined ? sql`true` : sql`a.digest = any(${digests.map(digestBytes)}::bytea[])`;
    const { items, more } = await readPage(list, input, {
      scope: filteredScope(listedOf(repositoryId, digests), search),
      read: async (slice) => {
        // The slice is selected first: the planner takes the empty table of changes for free to read, and would sum the uses of each asset before it sorts them.
        const { rows } = await sql<Row>`
          select ${assetColumns}, '\\x' || encode(a.digest, 'hex') as digest_key, a.reference_count as uses_key, ${filenames} as filenames
          from (
            select a.* from assets a
            where a.repository_id = ${repositoryId} and ${isWanted} and ${contains(searched, search)} and ${slice.follows} ${slice.orderAndLimit}
          ) as a ${slice.order}`.execute(tx);
        return rows;
      },
      toItem: toListed,
    });
    return { assets: items, ...more };
  },
};

function toListed(row: Row) {
  return { ...toAsset(row), ...(row.filenames.length === 0 ? {} : { filenames: row.filenames }) };
}

/** The digests that a list is of belong to its cursors, in any order and spelling. */
function listedOf(repositoryId: string, digests: readonly string[] | undefined): string {
  return digests === undefined ? repositoryId : `${repositoryId} ${JSON.stringify(digests.toSorted())}`;
}
