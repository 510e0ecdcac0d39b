import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { claimStores } from '../sql/unclaimed-stores.ts';

/** Makes a restored copy the one hub that deletes objects in its stores; the operator has stopped the other one. */
export const ClaimAssetStores: Handler<'repositories_ClaimAssetStores'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx }) {
    await claimStores(tx);
    return {};
  },
};
