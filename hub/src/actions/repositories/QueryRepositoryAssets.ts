import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustReadRepository, type RepositoryAccess } from '../../policy/repositories.ts';
import { assetColumns, digestBytes, digestText, toAsset, type AssetRow } from '../../store/assets.ts';
import { sortKey } from '../../store/paging/list-order.ts';
import { contains, namedOrder } from '../../store/paging/named-order.ts';
import { filteredList, readPage } from '../../store/paging/read-page.ts';

const id = sortKey<AssetRow>('asset_id', 'text', sql`a.asset_id`);
const digest = digestText(sql`a.digest`);
const orders = {
  name: () => [id],
  digest: () => [sortKey<AssetRow>('digest', 'text', digest), id],
  size: () => [sortKey<AssetRow>('size', 'bigint', sql`a.size`), id],
  status: () => [sortKey<AssetRow>('status', 'text', sql`a.status`), id],
  createdAt: () => [sortKey<AssetRow>('created_at', 'timestamptz', sql`a.created_at`), id],
};
const searched = [sql`${sql.lit(`${ids.asset.tag}_`)} || a.asset_id`, digest, sql`a.status`];

/** Lists the assets of a repository, or those of some digests; newest first by default. */
export const QueryRepositoryAssets: Handler<'repositories_QueryRepositoryAssets', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustReadRepository(tx, actor, input.repositoryId),

  async run({ tx, input }, { repositoryId }) {
    const { digests, search, order = '-createdAt' } = input;
    const list = namedOrder('repositories_QueryRepositoryAssets', orders, order, '-createdAt');
    const isWanted =
      digests === undefined ? sql`true` : sql`a.digest = any(${digests.map(digestBytes)}::bytea[])`;
    const { items, more } = await readPage(list, input, {
      of: filteredList(listedOf(repositoryId, digests), search),
      read: async (slice) => {
        const { rows } = await sql<AssetRow>`
          select ${assetColumns} from assets a
          where a.repository_id = ${repositoryId} and ${isWanted} and ${contains(searched, search)} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: toAsset,
    });
    return { assets: items, ...more };
  },
};

/** The digests that a list is of belong to its cursors, in any order and spelling. */
function listedOf(repositoryId: string, digests: readonly string[] | undefined): string {
  return digests === undefined ? repositoryId : `${repositoryId} ${JSON.stringify(digests.toSorted())}`;
}
