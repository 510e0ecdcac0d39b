import { actionMutation } from '../../../data/action-mutation.ts';
import { patchOf } from '../../../data/optimistic.ts';
import { userQuery } from '../../../data/queries-account.ts';

/** Changes the display name, optimistically. Its inverse is the same mutation with the former name. */
export const setDisplayName = actionMutation('users_SetUserDisplayName', 'users_DisplayNameChanged', {
  patches: ({ userId, displayName }) => [patchOf(userQuery(userId), (user) => ({ ...user, displayName }))],
});
