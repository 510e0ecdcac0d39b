import type { Id } from '@corral/contract';
import { mutationOptions } from '@tanstack/react-query';
import { hubOf } from '../../../data/hub.ts';
import { invalidates } from '../../../data/optimistic.ts';
import { userSessionsQuery } from '../../../data/queries-account.ts';
import { userTokensQuery } from './queries.ts';

/** The user whose account changes. */
interface UserRef {
  readonly userId: Id<'user'>;
}

/** Sets a new password, which ends all other sessions of the user. */
export const setPassword = mutationOptions({
  mutationKey: ['setPassword'],
  mutationFn: ({ userId, password }: UserRef & { password: string }, { client }) =>
    hubOf(client).invoke('users_SetUserPassword', { userId, password }),
  ...invalidates(({ userId }: UserRef) => [userSessionsQuery(userId).queryKey]),
});

/** Creates an API token; only the answer contains the secret. */
export const createUserToken = mutationOptions({
  mutationKey: ['createUserToken'],
  mutationFn: ({ userId, name }: UserRef & { name: string }, { client }) =>
    hubOf(client).invoke('users_CreateUserToken', { userId, name }),
  ...invalidates(({ userId }: UserRef) => [userTokensQuery(userId).queryKey]),
});

/** Deletes an API token of the user. */
export const deleteUserToken = mutationOptions({
  mutationKey: ['deleteUserToken'],
  mutationFn: ({ tokenId }: UserRef & { tokenId: Id<'userTokenId'> }, { client }) =>
    hubOf(client).invoke('users_DeleteUserToken', { tokenId }),
  ...invalidates(({ userId }: UserRef) => [userTokensQuery(userId).queryKey]),
});
