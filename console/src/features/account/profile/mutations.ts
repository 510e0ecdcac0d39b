import type { Id } from '@corral/contract';
import { mutationOptions } from '@tanstack/react-query';
import { hubOf } from '../../../data/hub.ts';
import { optimistic, patchOf } from '../../../data/optimistic.ts';
import { userQuery } from '../../../data/queries-account.ts';

/** The user whose account changes. */
interface UserRef {
  readonly userId: Id<'user'>;
}

/** Changes the display name, optimistically. Its inverse is the same mutation with the former name. */
export const setDisplayName = mutationOptions({
  mutationKey: ['setDisplayName'],
  mutationFn: ({ userId, displayName }: UserRef & { displayName: string }, { client }) =>
    hubOf(client).invoke('users_SetUserDisplayName', { userId, displayName }),
  ...optimistic(
    ({ userId, displayName }: UserRef & { displayName: string }) => [
      patchOf(userQuery(userId), (user) => ({ ...user, displayName })),
    ],
    ({ userId }) => [userQuery(userId).queryKey, ['projects_QueryProjectMembers']],
  ),
});
