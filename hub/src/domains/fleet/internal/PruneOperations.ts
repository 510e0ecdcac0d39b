import type { Internal } from '../../../calls/handler.ts';
import { pruneChanges, pruneOperations } from '../sql/prune.ts';

/** Deletes a part of what projects have beyond the operations and the changes of devices that they keep; returns 0 where there was nothing. */
export const PruneOperations: Internal<void, { readonly deleted: number }> = {
  name: 'fleet_PruneOperations',

  run: async ({ tx }) => ({ deleted: (await pruneOperations(tx)) || (await pruneChanges(tx)) ? 1 : 0 }),
};
