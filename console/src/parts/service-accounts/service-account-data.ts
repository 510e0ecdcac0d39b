import type { Id, Output } from '@corral/contract';
import { actionMutation } from '../../data/action-mutation.ts';
import { actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';

/** A service account as lists show it. */
export type ServiceAccount = Output<'projects_QueryProjectServiceAccounts'>['serviceAccounts'][number];

/** The service accounts of a project. */
export const projectServiceAccountsQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryProjectServiceAccounts', { projectId }, everyMinute);

/** The service accounts of a repository. */
export const repositoryServiceAccountsQuery = (repositoryId: Id<'repository'>) =>
  actionQuery('repositories_QueryRepositoryServiceAccounts', { repositoryId }, everyMinute);

/** Makes a service account of a project. */
export const createProjectServiceAccount = actionMutation(
  'projects_CreateProjectServiceAccount',
  'users_ServiceAccountCreated',
);

/** Makes a service account of a repository. */
export const createRepositoryServiceAccount = actionMutation(
  'repositories_CreateRepositoryServiceAccount',
  'users_ServiceAccountCreated',
);

/** Deletes a service account with its tokens. */
export const deleteServiceAccount = actionMutation(
  'users_DeleteServiceAccount',
  'users_ServiceAccountDeleted',
);
