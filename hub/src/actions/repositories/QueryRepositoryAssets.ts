import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { mustReadRepository, type RepositoryAccess } from '../../policy/repositories.ts';
import { assetColumns, digestBytes, toAsset, type AssetRow } from '../../store/assets.ts';
import { listOrder, sortKey } from '../../store/paging/list-order.ts';
import { readPage } from '../../store/paging/read-page.ts';

const newestFirst = listOrder<AssetRow>('repositories_QueryRepositoryAssets', 'desc', [
  sortKey('created_at', 'timestamptz', sql`a.created_at`),
  sortKey('asset_id', 'text', sql`a.asset_id`),
]);

/** Lists the assets of a repository, or those of some digests, newest first. */
export const QueryRepositoryAssets: Handler<'repositories_QueryRepositoryAssets', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustReadRepository(tx, actor, input.repositoryId),

  async run({ tx, input }, { repositoryId }) {
    const { digests } = input;
    const isWanted =
      digests === undefined ? sql`true` : sql`a.digest = any(${digests.map(digestBytes)}::bytea[])`;
    const { items, more } = await readPage(newestFirst, input, {
      of: repositoryId,
      read: async (slice) => {
        const { rows } = await sql<AssetRow>`
          select ${assetColumns} from assets a
          where a.repository_id = ${repositoryId} and ${isWanted} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: toAsset,
    });
    return { assets: items, ...more };
  },
};
