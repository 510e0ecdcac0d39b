import type { Id } from '@corral/contract';
import { mutationOptions } from '@tanstack/react-query';
import { hubOf } from './hub.ts';
import { optimistic, patchOf, invalidates } from './optimistic.ts';
import { userQuery, userSessionsQuery, userTokensQuery } from './queries-account.ts';

/** The user whose account changes. */
interface UserRef {
  readonly userId: Id<'user'>;
}

/** Changes the display name, optimistically. Its inverse is the same mutation with the former name. */
export const setDisplayName = mutationOptions({
  mutationKey: ['setDisplayName'],
  mutationFn: ({ userId, displayName }: UserRef & { displayName: string }, { client }) =>
    hubOf(client).invoke('users_SetUserDisplayName', { userId, displayName }),
  ...optimistic(
    ({ userId, displayName }: UserRef & { displayName: string }) => [
      patchOf(userQuery(userId), (user) => ({ ...user, displayName })),
    ],
    ({ userId }) => [userQuery(userId).queryKey, ['projects_QueryProjectMembers']],
  ),
});

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

/** Ends a session of the user at once. */
export const terminateSession = mutationOptions({
  mutationKey: ['terminateSession'],
  mutationFn: ({ sessionId }: UserRef & { sessionId: Id<'session'> }, { client }) =>
    hubOf(client).invoke('users_TerminateUserSession', { sessionId }),
  ...invalidates(({ userId }: UserRef) => [userSessionsQuery(userId).queryKey]),
});
