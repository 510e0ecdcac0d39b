import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { findAssetsToCheck } from '../../store/asset-checks.ts';
import { toStored } from '../../store/assets.ts';

/** Lists the assets whose stored bytes are to be checked next. */
export const FindAssetsToCheck: Handler<'repositories_FindAssetsToCheck'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input, now }) {
    const { ageSecs, unansweredAgeSecs = ageSecs, isDiskLeftOut = false } = input;
    const ago = (secs: number): Date => new Date(now.getTime() - secs * 1000);
    const due = { before: ago(ageSecs), unansweredBefore: ago(unansweredAgeSecs), isDiskLeftOut };
    return { assets: (await findAssetsToCheck(tx, due)).map(toStored) };
  },
};
