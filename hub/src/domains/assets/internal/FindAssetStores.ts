import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { findUnclaimedStores, type UnclaimedStores } from '../sql/unclaimed-stores.ts';

interface AssetStores {
  /** Those in which the hub may delete objects; one of a repository holds assets of this repository alone. */
  readonly stores: readonly {
    readonly storeId: string;
    readonly prefix: string;
    readonly repositoryId?: Id<'repository'>;
  }[];
  /** The buckets, at most 20 of all, in which it deletes nothing, since it is a restored copy that has not claimed them. */
  readonly unclaimed: UnclaimedStores;
}

/** Lists the object stores that may hold assets, and the buckets in which a restored copy deletes nothing. */
export const FindAssetStores: Internal<void, AssetStores> = {
  name: 'repositories_FindAssetStores',
  isQuery: true,
  async run({ tx }) {
    const rows = await tx
      .selectFrom('object_stores')
      .select(['store_id', 'prefix', 'repository_id'])
      .where('unclaimed_since', 'is', null)
      .orderBy('created_at')
      .execute();
    return {
      stores: rows.map(({ store_id: storeId, prefix, repository_id: owner }) => ({
        storeId,
        prefix,
        ...(owner === null ? {} : { repositoryId: ids.repository.of(owner) }),
      })),
      unclaimed: await findUnclaimedStores(tx),
    };
  },
};
