import type { Id } from '@corral/contract';
import { mutationOptions } from '@tanstack/react-query';
import { hubOf } from '../../data/hub.ts';
import { invalidates } from '../../data/optimistic.ts';

/** Creates a project that the user owns; returns its id. */
export const createProject = mutationOptions({
  mutationKey: ['createProject'],
  mutationFn: ({ name, owner }: { name: string; owner: Id<'user'> }, { client }) =>
    hubOf(client).invoke('projects_CreateProject', { name, owner }),
  ...invalidates(() => [['users_QueryUserProjects']]),
});
