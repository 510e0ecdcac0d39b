import type { Id } from '@corral/contract';
import { actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';

/** The accounts at the provider with which a user can sign in. */
export const identitiesQuery = (userId: Id<'user'>) =>
  actionQuery('users_GetUserIdentities', { userId }, everyMinute);
