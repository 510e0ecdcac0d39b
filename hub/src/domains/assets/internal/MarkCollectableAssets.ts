import type { Internal } from '../../../calls/handler.ts';
import { markCollectable } from '../sql/asset-collection.ts';
import { forgetOldStores } from '../sql/object-stores.ts';

/** Marks assets for deletion that nothing has referred to for a day, and forgets stores that have held none for a month. */
export const MarkCollectableAssets: Internal<void, { marked: number }> = {
  name: 'repositories_MarkCollectableAssets',
  async run({ tx, now }) {
    await forgetOldStores(tx, now);
    return { marked: await markCollectable(tx, now) };
  },
};
