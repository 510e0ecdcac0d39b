import { ActionError, type CallInput, type Id } from '@corral/contract';
import { queryOptions } from '@tanstack/react-query';
import { actionPageQuery, actionQuery } from './action-query.ts';
import { hubOf } from './hub.ts';
import { everyFiveMinutes, everyMinute, freshForFiveMinutes } from './intervals.ts';

/** The signed-in user. Fails with "Not logged in" (kind NotSignedIn) without a user session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'] as const,
  queryFn: async ({ client, signal }): Promise<{ userId: Id<'user'> }> => {
    const { actor } = await hubOf(client).invoke('actor_GetActor', {}, { signal });
    if (actor.kind !== 'User') throw new ActionError('NotSignedIn', 'Not logged in');
    return { userId: actor.userId };
  },
  ...everyMinute,
});

/** The public configuration of the hub. */
export const configQuery = queryOptions({
  queryKey: ['config'] as const,
  queryFn: ({ client }) => hubOf(client).readConfig(),
  ...freshForFiveMinutes,
});

/** E-mail address, display name and rights of a user. */
export const userQuery = (userId: Id<'user'>) => actionQuery('users_GetUserDetails', { userId }, everyMinute);

/** The projects that a user is a member of, with counts. */
export const userProjectsQuery = (userId: Id<'user'>) =>
  actionQuery('users_QueryUserProjects', { userId }, everyFiveMinutes);

/** The pending invitations to projects that are addressed to a user, newest first. */
export const receivedProjectInvitationsQuery = (userId: Id<'user'>) =>
  actionQuery('users_QueryUserProjectInvitations', { userId }, everyFiveMinutes);

/** The same to repositories. */
export const receivedRepositoryInvitationsQuery = (userId: Id<'user'>) =>
  actionQuery('users_QueryUserRepositoryInvitations', { userId }, everyFiveMinutes);

/** What the link of an invitation is about, by its token. */
export const invitationLinkQuery = (invitationToken: string) =>
  actionQuery('users_ResolveInvitation', { invitationToken }, freshForFiveMinutes);

/** The sessions of a user that have not expired, newest first. */
export const userSessionsQuery = (userId: Id<'user'>) =>
  actionQuery('users_QueryUserSessions', { userId }, everyMinute);

/** The nodes of the cluster. */
export const clusterQuery = () => actionQuery('cluster_GetClusterDetails', {}, everyFiveMinutes);

/** Users of the instance, ordered by e-mail address, for administrators; the hub filters. */
export const usersQuery = (input: CallInput<'users_QueryUsers'>) =>
  actionPageQuery('users_QueryUsers', input, everyMinute);
