import type { Id } from '@corral/contract';
import { mutationOptions } from '@tanstack/react-query';
import { guardDeletion } from './deletion-guard.ts';
import { hubOf } from './hub.ts';
import { optimistic, patchOf, invalidates } from './optimistic.ts';
import { deploymentTokensQuery, projectLogQuery, projectQuery } from './queries-projects.ts';

/** Creates a project that the user owns; returns its id. */
export const createProject = mutationOptions({
  mutationKey: ['createProject'],
  mutationFn: ({ name, owner }: { name: string; owner: Id<'user'> }, { client }) =>
    hubOf(client).invoke('projects_CreateProject', { name, owner }),
  ...invalidates(() => [['users_QueryUserProjects']]),
});

/** Deletes a project with everything in it. */
export const deleteProject = mutationOptions({
  mutationKey: ['deleteProject'],
  mutationFn: ({ projectId }: { projectId: Id<'project'> }, { client }) =>
    guardDeletion(client, projectId, () => hubOf(client).invoke('projects_DeleteProject', { projectId })),
  ...invalidates(() => [['users_QueryUserProjects']]),
});

/** Creates a deployment token; only the answer contains the secret. */
export const createDeploymentToken = mutationOptions({
  mutationKey: ['createDeploymentToken'],
  mutationFn: ({ projectId, name }: { projectId: Id<'project'>; name: string }, { client }) =>
    hubOf(client).invoke('projects_CreateDeploymentToken', { projectId, name, flags: { autoAccept: true } }),
  ...invalidates((token: { projectId: Id<'project'> }) => tokenKeys(token.projectId)),
});

/** The ids that identify a deployment token in the cache. */
export interface DeploymentTokenRef {
  readonly projectId: Id<'project'>;
  readonly tokenId: Id<'deploymentTokenId'>;
}

/** Switches whether a deployment token accepts certificates automatically, optimistically. */
export const setDeploymentTokenFlags = mutationOptions({
  mutationKey: ['setDeploymentTokenFlags'],
  mutationFn: ({ tokenId, autoAccept }: DeploymentTokenRef & { autoAccept: boolean }, { client }) =>
    hubOf(client).invoke('projects_SetDeploymentTokenFlags', { tokenId, flags: { autoAccept } }),
  ...optimistic(
    ({ projectId, tokenId, autoAccept }: DeploymentTokenRef & { autoAccept: boolean }) => [
      patchOf(deploymentTokensQuery(projectId), ({ tokens }) => ({
        tokens: tokens.map((token) =>
          token.tokenId === tokenId ? { ...token, flags: { ...token.flags, autoAccept } } : token,
        ),
      })),
    ],
    ({ projectId }) => tokenKeys(projectId),
  ),
});

/** Deletes a deployment token, which closes the connections of its devices. */
export const deleteDeploymentToken = mutationOptions({
  mutationKey: ['deleteDeploymentToken'],
  mutationFn: ({ tokenId }: DeploymentTokenRef, { client }) =>
    hubOf(client).invoke('projects_DeleteDeploymentToken', { tokenId }),
  ...invalidates(({ projectId }: DeploymentTokenRef) => tokenKeys(projectId)),
});

function tokenKeys(projectId: Id<'project'>) {
  return [
    deploymentTokensQuery(projectId).queryKey,
    projectQuery(projectId).queryKey,
    projectLogQuery(projectId).queryKey.slice(0, 1),
  ];
}
