import type { Id } from '@corral/contract';
import { actionQuery } from './action-query.ts';
import { everyFiveMinutes, everyMinute, everyTwoMinutes } from './intervals.ts';

/** Name and counts of a project. */
export const projectQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_GetProjectDetails', { projectId }, everyTwoMinutes);

/** The devices of a project, newest first, with their presence. */
export const projectDevicesQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryProjectDevices', { projectId }, everyTwoMinutes);

/** The deployment tokens of a project, newest first. */
export const deploymentTokensQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryProjectDeploymentTokens', { projectId }, everyMinute);

/** The members of a project, owners first. */
export const projectMembersQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryProjectMembers', { projectId }, everyFiveMinutes);

/** The pending invitations to a project, newest first. */
export const projectInvitationsQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryProjectInvitations', { projectId }, everyFiveMinutes);

/** The audit log of a project, newest first: `limit` rows, older than the entry `before` if given. */
export const projectLogQuery = (
  projectId: Id<'project'>,
  page: { limit?: number; before?: Id<'auditEvent'> } = {},
) => actionQuery('projects_QueryAuditLog', { projectId, ...page }, everyMinute);
