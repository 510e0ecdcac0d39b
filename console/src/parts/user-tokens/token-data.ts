import type { Id } from '@corral/contract';
import { actionMutation } from '../../data/action-mutation.ts';
import { actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';

/** The API tokens of a user or a service account, newest first. */
export const userTokensQuery = (userId: Id<'user'>) =>
  actionQuery('users_QueryUserTokens', { userId }, everyMinute);

/** Creates an API token; only the answer contains the secret. */
export const createUserToken = actionMutation('users_CreateUserToken', 'users_TokenCreated');

/** Deletes an API token. */
export const deleteUserToken = actionMutation('users_DeleteUserToken', 'users_TokenDeleted');
