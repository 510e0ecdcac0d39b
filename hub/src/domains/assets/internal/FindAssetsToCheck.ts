import type { Internal } from '../../../calls/handler.ts';
import { findAssetsToCheck } from '../sql/asset-checks.ts';
import { toStored, type StoredPlace } from '../sql/assets.ts';

interface Due {
  /** Only those that were not checked for this long. */
  readonly ageSecs: number;
  /** Also those whose store did not answer their last check, if that was so many milliseconds ago. */
  readonly unansweredAgeMs?: number;
  /** Leaves out those in a data folder, which is that of another node. */
  readonly isDiskLeftOut?: boolean;
  /** Leaves out those in these object stores, by their raw ids. */
  readonly leftOutStoreIds?: string[];
}

/** Lists the assets whose stored bytes are to be checked next. */
export const FindAssetsToCheck: Internal<Due, { assets: StoredPlace[] }> = {
  name: 'repositories_FindAssetsToCheck',
  isQuery: true,
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
