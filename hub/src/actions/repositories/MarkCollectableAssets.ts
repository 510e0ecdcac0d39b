import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { markCollectable } from '../../store/asset-collection.ts';

/** Marks assets for deletion that nothing has referred to for a day. */
export const MarkCollectableAssets: Handler<'repositories_MarkCollectableAssets'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, now }) {
    return { marked: await markCollectable(tx, now) };
  },
};
