import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { findAssetsToCheck } from '../../store/asset-checks.ts';
import { toStored } from '../../store/assets.ts';

/** Lists the assets whose stored bytes are to be checked next. */
export const FindAssetsToCheck: Handler<'repositories_FindAssetsToCheck'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input, now }) {
    const before = new Date(now.getTime() - input.ageSecs * 1000);
    return { assets: (await findAssetsToCheck(tx, before, input)).map(toStored) };
  },
};
