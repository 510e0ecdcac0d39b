import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { beginAdoption } from '../../store/asset-adoption.ts';

/** Counts a try to finish an upload whose client died, and says whether it may begin. */
export const BeginAssetAdoption: Handler<'repositories_BeginAssetAdoption'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  run: ({ tx, input, now }) => beginAdoption(tx, ids.asset.raw(input.assetId), now),
};
