import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { markCollectable } from '../sql/asset-collection.ts';
import { forgetOldStores } from '../sql/object-stores.ts';

/** Marks assets for deletion that nothing has referred to for a day, and forgets stores that have held none for a month. */
export const MarkCollectableAssets: Handler<'repositories_MarkCollectableAssets'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, now }) {
    await forgetOldStores(tx, now);
    return { marked: await markCollectable(tx, now) };
  },
};
