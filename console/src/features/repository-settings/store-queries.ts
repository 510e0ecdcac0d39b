import type { Id } from '@corral/contract';
import { actionMutation } from '../../data/action-mutation.ts';
import { actionQuery } from '../../data/action-query.ts';
import { everyFiveMinutes } from '../../data/intervals.ts';

/** Where new assets of a repository go, and what the last check of that store found; for owners. */
export const objectStoreQuery = (repositoryId: Id<'repository'>) =>
  actionQuery('repositories_GetObjectStore', { repositoryId }, everyFiveMinutes);

/** Sets the S3-compatible store of a repository. */
export const setStore = actionMutation('repositories_SetS3Config', 'repositories_StoreChanged');

/** Has new assets go to the store of the hub again. */
export const removeStore = actionMutation('repositories_RemoveS3Config', 'repositories_StoreChanged');
