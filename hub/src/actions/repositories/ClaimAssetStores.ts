import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { claimStores } from '../../store/unclaimed-stores.ts';

/** Makes a restored copy the one hub that deletes objects in its stores; the operator has stopped the other one. */
export const ClaimAssetStores: Handler<'repositories_ClaimAssetStores'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx }) {
    await claimStores(tx);
    return {};
  },
};
