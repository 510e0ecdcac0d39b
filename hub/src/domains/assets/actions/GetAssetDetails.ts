import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustReadAsset } from '../../repositories/index.ts';
import { assetColumns, toAsset, type AssetRow } from '../sql/assets.ts';

/** Returns an asset. */
export const GetAssetDetails: Handler<'repositories_GetAssetDetails'> = {
  authorize: ({ tx, actor, input }) => mustReadAsset(tx, actor, input.assetId),

  async run({ tx, input }) {
    const { rows } = await sql<AssetRow>`
      select ${assetColumns} from assets a where a.asset_id = ${ids.asset.raw(input.assetId)}`.execute(tx);
    const [row] = rows;
    if (row === undefined) throw notFound('Asset');
    return { ...toAsset(row), repositoryId: ids.repository.of(row.repository_id) };
  },
};
