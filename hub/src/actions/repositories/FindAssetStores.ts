import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';

/** Lists the object stores that may hold assets. */
export const FindAssetStores: Handler<'repositories_FindAssetStores'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx }) {
    const rows = await tx.selectFrom('object_stores').select('store_id').orderBy('created_at').execute();
    return { storeIds: rows.map(({ store_id }) => store_id) };
  },
};
