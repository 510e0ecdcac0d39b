import type { Id } from '@corral/contract';
import { actionQuery } from '../../data/action-query.ts';
import { everyFiveMinutes } from '../../data/intervals.ts';

/** The newest `limit` assets of a repository, newest first. */
export const repositoryAssetsQuery = (repositoryId: Id<'repository'>, limit: number) =>
  actionQuery('repositories_QueryRepositoryAssets', { repositoryId, limit }, everyFiveMinutes);
