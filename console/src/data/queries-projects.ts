import type { CallInput, Id } from '@corral/contract';
import { actionPageQuery, actionQuery } from './action-query.ts';
import { everyFiveMinutes, everyMinute, everyTwoMinutes } from './intervals.ts';

/** Which entries of a log are read. */
export interface LogPageInput {
  readonly filter?: string | undefined;
  readonly limit?: number;
  readonly before?: Id<'auditEvent'>;
}

/** A page of the entries of a log that pass a filter: the first one, or the one after a cursor. */
export interface LogSearchPage {
  readonly filter?: string;
  readonly limit: number;
  readonly after?: string;
}

/** Name and counts of a project. */
export const projectQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_GetProjectDetails', { projectId }, everyTwoMinutes);

/** How the fleet of a project is now, in groups by a key of the metadata. */
export const overviewQuery = (projectId: Id<'project'>, groupBy?: string) =>
  actionQuery(
    'projects_GetOverview',
    { projectId, ...(groupBy === undefined ? {} : { groupBy }) },
    everyMinute,
  );

/** How many devices of a project were connected, and its events, over a time up to now. */
export const historyQuery = (projectId: Id<'project'>, range: CallInput<'projects_QueryHistory'>['range']) =>
  actionQuery('projects_QueryHistory', { projectId, range }, everyMinute);

/** Which versions the devices of a project reported over a time up to now. */
export const versionHistoryQuery = (
  projectId: Id<'project'>,
  range: CallInput<'projects_QueryVersionHistory'>['range'],
) => actionQuery('projects_QueryVersionHistory', { projectId, range }, everyFiveMinutes);

/** How many devices a page has; more are read on request. */
export const firstDevices = 500;

/** A page of the devices of a project in a view, with their presence; the first one, and the newest of all unless asked for others. */
export const projectDevicesQuery = (
  projectId: Id<'project'>,
  view: Omit<CallInput<'projects_QueryProjectDevices'>, 'projectId'> = {},
) =>
  actionPageQuery(
    'projects_QueryProjectDevices',
    { projectId, limit: firstDevices, ...view },
    everyTwoMinutes,
  );

/** The own saved views of the devices of a project, by name. */
export const savedViewsQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QuerySavedViews', { projectId }, everyFiveMinutes);

/** How many devices of a project each of up to eight filters finds. */
export const filteredDeviceCountsQuery = (projectId: Id<'project'>, filters: readonly string[]) =>
  actionQuery('projects_CountFilteredDevices', { projectId, filters: [...filters] }, everyMinute);

/** The deployment tokens of a project, newest first. */
export const deploymentTokensQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryProjectDeploymentTokens', { projectId }, everyMinute);

/** The members of a project, owners first. */
export const projectMembersQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryProjectMembers', { projectId }, everyFiveMinutes);

/** The pending invitations to a project, newest first. */
export const projectInvitationsQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryProjectInvitations', { projectId }, everyFiveMinutes);

/** The audit log of a project, newest first: `limit` rows that pass the filter, older than the entry `before` if given. */
export const projectLogQuery = (projectId: Id<'project'>, page: LogPageInput = {}) =>
  actionQuery('projects_QueryAuditLog', { projectId, ...page }, everyMinute);

/** A page of the entries of the log of a project that pass a filter, newest first. */
export const projectLogSearchQuery = (projectId: Id<'project'>, page: LogSearchPage) =>
  actionPageQuery('projects_QueryAuditLog', { projectId, ...page }, everyMinute);
