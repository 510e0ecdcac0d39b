import { actionMutation } from '../../../data/action-mutation.ts';

/** Points tags at a version; a locked tag is refused. */
export const tagVersion = actionMutation('repositories_TagPackageVersion', 'repositories_TagMoved');

/** Removes tags from a version; a locked tag is refused. */
export const untagVersion = actionMutation('repositories_UntagPackageVersion', 'repositories_TagRemoved');
