import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { markCollectable } from '../../store/asset-collection.ts';
import { forgetOldStores } from '../../store/object-stores.ts';

/** Marks assets for deletion that nothing has referred to for a day, and forgets stores that have held none for a month. */
export const MarkCollectableAssets: Handler<'repositories_MarkCollectableAssets'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, now }) {
    await forgetOldStores(tx, now);
    return { marked: await markCollectable(tx, now) };
  },
};
