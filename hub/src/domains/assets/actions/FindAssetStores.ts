import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeHub } from '../../users/index.ts';
import { findUnclaimedStores } from '../sql/unclaimed-stores.ts';

/** Lists the object stores that may hold assets, and the buckets in which a restored copy deletes nothing. */
export const FindAssetStores: Handler<'repositories_FindAssetStores'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx }) {
    const rows = await tx
      .selectFrom('object_stores')
      .select(['store_id', 'prefix', 'repository_id'])
      .where('unclaimed_since', 'is', null)
      .orderBy('created_at')
      .execute();
    const { buckets, ...unclaimed } = await findUnclaimedStores(tx);
    return {
      stores: rows.map(({ store_id: storeId, prefix, repository_id: owner }) => ({
        storeId,
        prefix,
        ...(owner === null ? {} : { repositoryId: ids.repository.of(owner) }),
      })),
      unclaimed: { buckets: [...buckets], ...unclaimed },
    };
  },
};
