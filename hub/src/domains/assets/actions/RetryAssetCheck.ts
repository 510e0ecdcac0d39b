import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustWriteAsset } from '../../repositories/index.ts';
import { scheduleCheckFirst } from '../sql/asset-checks.ts';

/** Has the bytes of an asset checked by the next run of the scrub. */
export const RetryAssetCheck: Handler<'repositories_RetryAssetCheck'> = {
  authorize: ({ tx, actor, input }) => mustWriteAsset(tx, actor, input.assetId),

  async run({ tx, input }) {
    await scheduleCheckFirst(tx, ids.asset.raw(input.assetId));
    return {};
  },
};
