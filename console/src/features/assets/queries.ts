import type { CallInput, Id } from '@corral/contract';
import { actionQuery } from '../../data/action-query.ts';
import { everyFiveMinutes } from '../../data/intervals.ts';

type Asked = Pick<CallInput<'repositories_QueryRepositoryAssets'>, 'search' | 'order'>;

/** The first `limit` assets of a repository with a text, in an order; by default of all, newest first. */
export const repositoryAssetsQuery = (repositoryId: Id<'repository'>, limit: number, asked: Asked = {}) =>
  actionQuery('repositories_QueryRepositoryAssets', { repositoryId, limit, ...asked }, everyFiveMinutes);
