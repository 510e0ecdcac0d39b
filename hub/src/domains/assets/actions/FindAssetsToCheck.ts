import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { findAssetsToCheck } from '../sql/asset-checks.ts';
import { toStored } from '../sql/assets.ts';

/** Lists the assets whose stored bytes are to be checked next. */
export const FindAssetsToCheck: Handler<'repositories_FindAssetsToCheck'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input, now }) {
    const { ageSecs, unansweredAgeMs = ageSecs * 1000, isDiskLeftOut = false, leftOutStoreIds = [] } = input;
    const ago = (ms: number): Date => new Date(now.getTime() - ms);
    const due = {
      before: ago(ageSecs * 1000),
      unansweredBefore: ago(unansweredAgeMs),
      isDiskLeftOut,
      leftOutStoreIds,
    };
    return { assets: (await findAssetsToCheck(tx, due)).map(toStored) };
  },
};
