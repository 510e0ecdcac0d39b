import type { Id } from '@corral/contract';
import { actionQuery } from '../../data/action-query.ts';
import { everyFiveMinutes } from '../../data/intervals.ts';

/** An asset, and what its store said about its bytes. */
export const assetQuery = (assetId: Id<'asset'>) =>
  actionQuery('repositories_GetAssetDetails', { assetId }, everyFiveMinutes);

/** The first `limit` files that refer to an asset. */
export const assetReferencesQuery = (assetId: Id<'asset'>, limit: number) =>
  actionQuery('repositories_QueryAssetReferences', { assetId, limit }, everyFiveMinutes);
