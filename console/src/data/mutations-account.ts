import type { Id } from '@corral/contract';
import { mutationOptions } from '@tanstack/react-query';
import { hubOf } from './hub.ts';
import { optimistic, patchOf, invalidates } from './optimistic.ts';
import { userQuery, userSessionsQuery, userTokensQuery } from './queries-account.ts';

/** A change of the account of one user. */
interface OfUser {
  readonly userId: Id<'user'>;
}

/** Changes the name that the user is shown by, at once. Its inverse is itself with the former name. */
export const setDisplayName = mutationOptions({
  mutationKey: ['setDisplayName'],
  mutationFn: ({ userId, displayName }: OfUser & { displayName: string }, { client }) =>
    hubOf(client).invoke('users_SetUserDisplayName', { userId, displayName }),
  ...optimistic(
    ({ userId, displayName }: OfUser & { displayName: string }) => [
      patchOf(userQuery(userId), (user) => ({ ...user, displayName })),
    ],
    ({ userId }) => [userQuery(userId).queryKey, ['projects_QueryProjectMembers']],
  ),
});

/** Sets a new password, which ends all other sessions of the user. */
export const setPassword = mutationOptions({
  mutationKey: ['setPassword'],
  mutationFn: ({ userId, password }: OfUser & { password: string }, { client }) =>
    hubOf(client).invoke('users_SetUserPassword', { userId, password }),
  ...invalidates(({ userId }: OfUser) => [userSessionsQuery(userId).queryKey]),
});

/** Creates an API token; the answer is the only place that shows the secret. */
export const createUserToken = mutationOptions({
  mutationKey: ['createUserToken'],
  mutationFn: ({ userId, name }: OfUser & { name: string }, { client }) =>
    hubOf(client).invoke('users_CreateUserToken', { userId, name }),
  ...invalidates(({ userId }: OfUser) => [userTokensQuery(userId).queryKey]),
});

/** Deletes an API token of the user. */
export const deleteUserToken = mutationOptions({
  mutationKey: ['deleteUserToken'],
  mutationFn: ({ tokenId }: OfUser & { tokenId: Id<'userTokenId'> }, { client }) =>
    hubOf(client).invoke('users_DeleteUserToken', { tokenId }),
  ...invalidates(({ userId }: OfUser) => [userTokensQuery(userId).queryKey]),
});

/** Ends a session of the user at once. */
export const terminateSession = mutationOptions({
  mutationKey: ['terminateSession'],
  mutationFn: ({ sessionId }: OfUser & { sessionId: Id<'session'> }, { client }) =>
    hubOf(client).invoke('users_TerminateUserSession', { sessionId }),
  ...invalidates(({ userId }: OfUser) => [userSessionsQuery(userId).queryKey]),
});
