import type { CallInput, Id } from '@corral/contract';
import { actionPageQuery } from '../../data/action-query.ts';
import { everyFiveMinutes } from '../../data/intervals.ts';

type Asked = Pick<CallInput<'repositories_QueryRepositoryAssets'>, 'search' | 'order' | 'after'>;

/** The first `limit` assets of a repository, or those after a cursor, with a text, in an order; by default of all, newest first. */
export const repositoryAssetsQuery = (repositoryId: Id<'repository'>, limit: number, asked: Asked = {}) =>
  actionPageQuery('repositories_QueryRepositoryAssets', { repositoryId, limit, ...asked }, everyFiveMinutes);
