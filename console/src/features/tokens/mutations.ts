import type { Id } from '@corral/contract';
import { mutationOptions } from '@tanstack/react-query';
import { hubOf } from '../../data/hub.ts';
import { invalidates, optimistic, patchOf } from '../../data/optimistic.ts';
import { deploymentTokensQuery } from '../../data/queries-projects.ts';
import { deploymentTokenKeys } from '../../parts/create-deployment-token.ts';

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
    ({ projectId }) => deploymentTokenKeys(projectId),
  ),
});

/** Deletes a deployment token, which closes the connections of its devices. */
export const deleteDeploymentToken = mutationOptions({
  mutationKey: ['deleteDeploymentToken'],
  mutationFn: ({ tokenId }: DeploymentTokenRef, { client }) =>
    hubOf(client).invoke('projects_DeleteDeploymentToken', { tokenId }),
  ...invalidates(({ projectId }: DeploymentTokenRef) => deploymentTokenKeys(projectId)),
});
