import { actionMutation } from '../../data/action-mutation.ts';

/** Creates a project that the user owns; returns its id. */
export const createProject = actionMutation('projects_CreateProject', 'projects_Created');
