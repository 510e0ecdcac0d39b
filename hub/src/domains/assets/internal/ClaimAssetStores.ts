import type { Internal } from '../../../calls/handler.ts';
import { claimStores } from '../sql/unclaimed-stores.ts';

/** Makes a restored copy the one hub that deletes objects in its stores; the operator has stopped the other one. */
export const ClaimAssetStores: Internal<void, void> = {
  name: 'repositories_ClaimAssetStores',
  isRecorded: true,
  run: ({ tx }) => claimStores(tx),
};
