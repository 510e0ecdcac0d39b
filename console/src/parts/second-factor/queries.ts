import type { Id } from '@corral/contract';
import { actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';

/** The second factors of a user. */
export const secondFactorsQuery = (userId: Id<'user'>) =>
  actionQuery('users_GetSecondFactors', { userId }, everyMinute);
