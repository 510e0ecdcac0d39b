import type { Id } from '@corral/contract';
import { mutationOptions } from '@tanstack/react-query';
import { guardDeletion } from '../../data/deletion-guard.ts';
import { hubOf } from '../../data/hub.ts';
import { invalidates } from '../../data/optimistic.ts';

/** Deletes a project with everything in it. */
export const deleteProject = mutationOptions({
  mutationKey: ['deleteProject'],
  mutationFn: ({ projectId }: { projectId: Id<'project'> }, { client }) =>
    guardDeletion(client, projectId, () => hubOf(client).invoke('projects_DeleteProject', { projectId })),
  ...invalidates(() => [['users_QueryUserProjects']]),
});
