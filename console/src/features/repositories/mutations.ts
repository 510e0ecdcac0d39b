import { actionMutation } from '../../data/action-mutation.ts';

/** Creates a repository that the user owns; its result says whether the name was free. */
export const createRepository = actionMutation('repositories_CreateRepository', 'repositories_Created');
