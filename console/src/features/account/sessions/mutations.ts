import type { Id } from '@corral/contract';
import { mutationOptions } from '@tanstack/react-query';
import { hubOf } from '../../../data/hub.ts';
import { invalidates } from '../../../data/optimistic.ts';
import { userSessionsQuery } from '../../../data/queries-account.ts';

/** The user whose account changes. */
interface UserRef {
  readonly userId: Id<'user'>;
}

/** Ends a session of the user at once. */
export const terminateSession = mutationOptions({
  mutationKey: ['terminateSession'],
  mutationFn: ({ sessionId }: UserRef & { sessionId: Id<'session'> }, { client }) =>
    hubOf(client).invoke('users_TerminateUserSession', { sessionId }),
  ...invalidates(({ userId }: UserRef) => [userSessionsQuery(userId).queryKey]),
});
