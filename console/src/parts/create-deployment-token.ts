import type { Id } from '@corral/contract';
import { mutationOptions } from '@tanstack/react-query';
import { hubOf } from '../data/hub.ts';
import { invalidates } from '../data/optimistic.ts';
import { deploymentTokensQuery, projectLogQuery, projectQuery } from '../data/queries-projects.ts';

/** Creates a deployment token; only the answer contains the secret. */
export const createDeploymentToken = mutationOptions({
  mutationKey: ['createDeploymentToken'],
  mutationFn: ({ projectId, name }: { projectId: Id<'project'>; name: string }, { client }) =>
    hubOf(client).invoke('projects_CreateDeploymentToken', { projectId, name, flags: { autoAccept: true } }),
  ...invalidates((token: { projectId: Id<'project'> }) => deploymentTokenKeys(token.projectId)),
});

/** The keys of the queries that a change of a deployment token makes stale. */
export function deploymentTokenKeys(projectId: Id<'project'>) {
  return [
    deploymentTokensQuery(projectId).queryKey,
    projectQuery(projectId).queryKey,
    projectLogQuery(projectId).queryKey.slice(0, 1),
  ];
}
