import type { CallInput, Id } from '@corral/contract';
import type { LogPageInput, LogSearchPage } from './queries-projects.ts';
import { actionPageQuery, actionQuery } from './action-query.ts';
import { everyFiveMinutes, everyMinute, everyTwoMinutes } from './intervals.ts';

/** The repositories that a user may read: those of the user, and those linked to the user's projects. */
export const userRepositoriesQuery = (userId: Id<'user'>) =>
  actionQuery('users_QueryUserRepositories', { userId, includeLinked: true }, everyFiveMinutes);

/** Name, visibility, counts and quotas of a repository, and what the user may do with it. */
export const repositoryQuery = (repositoryId: Id<'repository'>) =>
  actionQuery('repositories_GetRepositoryDetails', { repositoryId }, everyTwoMinutes);

/** What a repository stored over 30 days. */
export const storedBytesQuery = (repositoryId: Id<'repository'>) =>
  actionQuery('repositories_QueryStoredBytes', { repositoryId, range: 'Month' }, everyFiveMinutes);

type AskedPackages = Pick<CallInput<'repositories_QueryRepositoryPackages'>, 'search' | 'order' | 'after'>;

/** The first `limit` packages of a repository, or those after a cursor, with a text, in an order; by default of all, by name. */
export const repositoryPackagesQuery = (
  repositoryId: Id<'repository'>,
  limit: number,
  asked: AskedPackages = {},
) =>
  actionPageQuery(
    'repositories_QueryRepositoryPackages',
    { repositoryId, limit, ...asked },
    everyFiveMinutes,
  );

/** The projects that a repository is linked to, by name. Refused to those who may only read the repository. */
export const repositoryProjectsQuery = (repositoryId: Id<'repository'>) =>
  actionQuery('repositories_QueryRepositoryProjects', { repositoryId }, everyFiveMinutes);

/** The repositories that are linked to a project, by name. */
export const projectRepositoriesQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryProjectRepositories', { projectId }, everyFiveMinutes);

/** The members of a repository, owners first. Refused to those who may only read the repository. */
export const repositoryMembersQuery = (repositoryId: Id<'repository'>) =>
  actionQuery('repositories_QueryRepositoryMembers', { repositoryId }, everyFiveMinutes);

/** The pending invitations to a repository, newest first. Refused to those who may only read the repository. */
export const repositoryInvitationsQuery = (repositoryId: Id<'repository'>) =>
  actionQuery('repositories_QueryRepositoryInvitations', { repositoryId }, everyFiveMinutes);

/** The audit log of a repository, newest first: `limit` rows, older than the entry `before` if given. */
export const repositoryLogQuery = (repositoryId: Id<'repository'>, page: LogPageInput = {}) =>
  actionQuery('repositories_QueryAuditLogEvents', { repositoryId, ...page }, everyMinute);

/** A page of the entries of the log of a repository that pass a filter, newest first. */
export const repositoryLogSearchQuery = (repositoryId: Id<'repository'>, page: LogSearchPage) =>
  actionPageQuery('repositories_QueryAuditLogEvents', { repositoryId, ...page }, everyMinute);
